package io.github.sparkgpusched.ui;

import java.util.List;

/** Small pictures as inline SVG. Colours are classes of gpusched.css, for light and dark. */
final class Pictures {
  private static final int STRIP_WIDTH = 288;
  private static final int STRIP_HEIGHT = 16;

  private Pictures() {}

  /** Utilisation over time: one bar an interval, the busier the higher. */
  static void strip(Html html, List<Integer> percent, int used) {
    html.raw("<svg class=\"gs-strip\" viewBox=\"0 0 ")
        .number(STRIP_WIDTH)
        .raw(" ")
        .number(STRIP_HEIGHT)
        .raw("\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
        .text(inWords(percent, used))
        .raw("\"><rect class=\"gs-track\" width=\"")
        .number(STRIP_WIDTH)
        .raw("\" height=\"")
        .number(STRIP_HEIGHT)
        .raw("\"/>");
    double cell = (double) STRIP_WIDTH / Math.max(1, used);
    int i = 0;
    while (i < Math.min(used, percent.size())) {
      int end = i + 1;
      while (end < Math.min(used, percent.size()) && percent.get(end).equals(percent.get(i))) {
        end++;
      }
      if (percent.get(i) > 0) {
        html.raw("<rect class=\"gs-busy\" x=\"")
            .number(i * cell)
            .raw("\" width=\"")
            .number((end - i) * cell)
            .raw("\" y=\"")
            .number(STRIP_HEIGHT - height(percent.get(i)))
            .raw("\" height=\"")
            .number(height(percent.get(i)))
            .raw("\"><title>")
            .number(percent.get(i))
            .raw(" % busy</title></rect>");
      }
      i = end;
    }
    html.raw("</svg>");
  }

  /** High enough to be seen, however little it is. */
  private static double height(int percent) {
    return Math.max(2, STRIP_HEIGHT * percent / 100.0);
  }

  private static String inWords(List<Integer> percent, int used) {
    List<Integer> shown = percent.subList(0, Math.min(used, percent.size()));
    double mean = shown.stream().mapToInt(p -> p).average().orElse(0);
    int last = shown.isEmpty() ? 0 : shown.get(shown.size() - 1);
    return Math.round(mean) + " % busy on average, " + last + " % at last";
  }

  /** A bar beside its figure. */
  static void bar(Html html, double part, String figure) {
    double width = Math.max(0, Math.min(1, part)) * 100;
    html.raw("<td class=\"gs-num gs-barred\"><svg class=\"gs-bar\" viewBox=\"0 0 100 1\"")
        .raw(
            " preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"gs-fill\" height=\"1\"")
        .raw(" width=\"")
        .number(width)
        .raw("\"/></svg><span>")
        .text(figure)
        .raw("</span></td>");
  }
}
