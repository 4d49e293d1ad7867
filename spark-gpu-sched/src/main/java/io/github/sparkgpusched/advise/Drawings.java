package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.ui.Html;
import java.util.List;
import java.util.Locale;

/** Pictures as inline SVG, with their content in words. Colours are classes of advise.css. */
final class Drawings {
  private static final int WIDTH = 520;
  private static final int HEIGHT = 140;
  private static final int LEFT = 46;
  private static final int BOTTOM = 22;
  private static final int TOP = 8;

  private Drawings() {}

  /** A table's cell: a part as a bar behind its figure. */
  static void bar(Html html, double part, String figure) {
    html.raw("<td class=\"num barred\"><svg viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\"")
        .raw(" aria-hidden=\"true\"><rect class=\"fill\" height=\"1\" width=\"")
        .number(100 * Math.max(0, Math.min(1, part)))
        .raw("\"/></svg><span>")
        .text(figure)
        .raw("</span></td>");
  }

  /** How long a stage's tasks are, and which cores work when. */
  static void stage(Html html, Report.Stage s) {
    html.raw("<h4>")
        .text("Stage " + s.id() + (s.name().isEmpty() ? "" : ": " + s.name()))
        .raw("</h4><div class=\"pictures\">");
    tasks(html, s);
    if (!s.picture().plain().isEmpty()) {
      cores(html, s.picture());
    }
    html.raw("</div>");
  }

  private static void tasks(Html html, Report.Stage s) {
    List<Double> tasks = s.picture().taskSeconds();
    double most = Math.max(1e-3, s.longestSeconds());
    begin(
        html,
        "Time of the stage's tasks, the shortest first: " + Words.skew(s),
        "Tasks by their time" + (tasks.size() < s.tasks() ? ", every so many" : ""));
    axis(html, Words.seconds(most), "0 s", "shortest", "longest");
    double width = (double) (WIDTH - LEFT) / tasks.size();
    for (int i = 0; i < tasks.size(); i++) {
      double height = (HEIGHT - TOP - BOTTOM) * tasks.get(i) / most;
      html.raw("<rect class=\"task\" x=\"")
          .number(LEFT + i * width)
          .raw("\" y=\"")
          .number(HEIGHT - BOTTOM - height)
          .raw("\" width=\"")
          .number(Math.max(0.5, width * (tasks.size() > 100 ? 1 : 0.85)))
          .raw("\" height=\"")
          .number(height)
          .raw("\"><title>")
          .text(Words.seconds(tasks.get(i)))
          .raw("</title></rect>");
    }
    html.raw("</svg></figure>");
  }

  private static void cores(Html html, Report.Picture picture) {
    double most = 1;
    for (int i = 0; i < picture.plain().size(); i++) {
      most = Math.max(most, Math.max(picture.plain().get(i), picture.shared().get(i)));
    }
    String words =
        String.format(
            Locale.ROOT,
            "Cores at work: plain Spark takes %s, with rows shared %s",
            Words.seconds(picture.lengthSeconds()),
            Words.seconds(end(picture)));
    begin(html, words, words);
    axis(
        html,
        String.format(Locale.ROOT, "%.0f cores", Math.ceil(most - 0.01)),
        "0",
        "0 s",
        Words.seconds(picture.lengthSeconds()));
    area(html, picture.shared(), "shared", most);
    area(html, picture.plain(), "plain", most);
    html.raw("</svg><p class=\"legend\"><span class=\"key plainkey\"></span>plain Spark ")
        .raw("<span class=\"key sharedkey\"></span>rows shared</p></figure>");
  }

  /** When the last core has nothing to do any more. */
  private static double end(Report.Picture picture) {
    int last = 0;
    for (int i = 0; i < picture.shared().size(); i++) {
      last = picture.shared().get(i) > 0.01 ? i + 1 : last;
    }
    return picture.lengthSeconds() * last / Math.max(1, picture.shared().size());
  }

  private static void area(Html html, List<Double> values, String kind, double most) {
    double step = (double) (WIDTH - LEFT) / values.size();
    html.raw("<path class=\"").raw(kind).raw("\" d=\"M").number(LEFT).raw(" ");
    html.number(HEIGHT - BOTTOM);
    for (int i = 0; i < values.size(); i++) {
      double y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * values.get(i) / most;
      html.raw("V").number(y).raw("H").number(LEFT + (i + 1) * step);
    }
    html.raw("V").number(HEIGHT - BOTTOM).raw("Z\"/>");
  }

  private static void begin(Html html, String words, String caption) {
    html.raw("<figure><figcaption>")
        .text(caption)
        .raw("</figcaption><svg role=\"img\" viewBox=\"0 0 ");
    html.number(WIDTH).raw(" ").number(HEIGHT).raw("\" aria-label=\"").text(words).raw("\">");
  }

  private static void axis(Html html, String top, String bottom, String left, String right) {
    html.raw("<path class=\"axis\" d=\"M").number(LEFT).raw(" ").number(TOP).raw("V");
    html.number(HEIGHT - BOTTOM).raw("H").number(WIDTH).raw("\"/>");
    label(html, LEFT - 4, TOP + 8, "end", top);
    label(html, LEFT - 4, HEIGHT - BOTTOM, "end", bottom);
    label(html, LEFT, HEIGHT - 6, "start", left);
    label(html, WIDTH - 2, HEIGHT - 6, "end", right);
  }

  private static void label(Html html, int x, int y, String anchor, String text) {
    html.raw("<text x=\"").number(x).raw("\" y=\"").number(y).raw("\" text-anchor=\"");
    html.raw(anchor).raw("\">").text(text).raw("</text>");
  }
}
