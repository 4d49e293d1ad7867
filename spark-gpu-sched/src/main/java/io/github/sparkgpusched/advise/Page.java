package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.ui.Format;
import io.github.sparkgpusched.ui.Html;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * The report as one page that loads nothing: styles and pictures are in it. Every picture has its
 * content in words, and every table its heads.
 */
final class Page {
  private static final String STYLE = "/io/github/sparkgpusched/advise/advise.css";

  /** Rows of a table that are always seen: a log of a day has many that gain nothing. */
  private static final int SEEN_ROWS = 12;

  private static final int PICTURES = 5;

  private final Html html = new Html();
  private int number;

  private Page() {}

  static String of(Report report) {
    Page page = new Page();
    page.begin();
    page.overview(report.applications());
    report.applications().forEach(page::application);
    page.notes(report.notes());
    page.end();
    return page.html.toString();
  }

  private void begin() {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">")
        .raw("<title>Which jobs profit?</title><style>")
        .raw(style())
        .raw("</style></head><body><main><h1>Which jobs profit from balanced functions?</h1>");
  }

  private static String style() {
    try (InputStream in = Page.class.getResourceAsStream(STYLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end() {
    html.raw("<footer><p>").text(Words.CAVEAT).raw("</p></footer></main></body></html>\n");
  }

  private void overview(List<Report.Application> applications) {
    if (applications.size() < 2) {
      return;
    }
    head("Applications", "Application", "#Time", "#Saved", "#Part", "Verdict");
    for (int i = 0; i < applications.size(); i++) {
      Report.Application a = applications.get(i);
      html.raw("<tr><th scope=\"row\"><a href=\"#app").number(i).raw("\">");
      html.text(Words.shortTitle(a)).raw("</a></th>");
      figure(Words.seconds(a.seconds()));
      figure(Words.range(a.saved()));
      Drawings.bar(
          html,
          a.saved().mid() / Math.max(1e-9, a.seconds()),
          Words.percent(a.saved(), a.seconds()));
      verdict(a.verdict());
      html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
  }

  private void application(Report.Application a) {
    html.raw("<section id=\"app").number(number++).raw("\"><h2>");
    html.text(a.name().isEmpty() ? a.log() : a.name()).raw("</h2><p class=\"faint\">");
    html.text(a.log() + ": " + Words.title(a)).raw("</p>");
    html.raw("<div class=\"answer ").raw(a.verdict().name()).raw("\">");
    for (String line : Words.answer(a)) {
      html.raw("<p>").text(line).raw("</p>");
    }
    html.raw("</div>");
    queries(a.queries());
    stages(a.stages());
    notBatched(a.notBatched());
    notes(a.notes());
    html.raw("</section>");
  }

  private void notes(List<String> notes) {
    if (!notes.isEmpty()) {
      html.raw("<h3>Notes</h3><ul>");
      notes.forEach(note -> html.raw("<li>").text(note).raw("</li>"));
      html.raw("</ul>");
    }
  }

  private void queries(List<Report.Query> queries) {
    folded("Queries with functions", queries, this::queryTable);
  }

  private void queryTable(String title, List<Report.Query> queries) {
    table(title, "Query", "#Time", "#Saved", "#Part", "Verdict");
    for (Report.Query q : queries) {
      html.raw("<tr><th scope=\"row\">").text(q.id() + " " + q.description()).raw("</th>");
      figure(Words.seconds(q.seconds()));
      figure(Words.range(q.saved()));
      Drawings.bar(
          html,
          q.saved().mid() / Math.max(1e-9, q.seconds()),
          Words.percent(q.saved(), q.seconds()));
      verdict(q.verdict());
      html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
  }

  private void stages(List<Report.Stage> stages) {
    folded("Stages with functions", stages, this::stageTable);
    for (Report.Stage s : stages.subList(0, Math.min(PICTURES, stages.size()))) {
      Drawings.stage(html, s);
    }
  }

  private void stageTable(String title, List<Report.Stage> stages) {
    table(
        title,
        "Stage",
        "Functions",
        "#Tasks",
        "#Rows",
        "#Longest / median",
        "#Function",
        "#Scan",
        "#Saved within executors",
        "#Saved in all");
    for (Report.Stage s : stages) {
      html.raw("<tr><th scope=\"row\">").text(s.id() + " " + s.name()).raw("</th><td>");
      html.text(Words.functions(s)).raw("</td>");
      figure(Format.count(s.tasks()));
      figure(Format.count(s.rows()));
      figure(
          String.format(
              Locale.ROOT,
              "%.1f (%s / %s)",
              s.skew(),
              Words.seconds(s.longestSeconds()),
              Words.seconds(s.medianSeconds())));
      figure(Words.percent(s.functionSeconds(), s.taskSeconds()));
      figure(Words.percent(s.scanSeconds() / Math.max(1e-9, s.taskSeconds())));
      figure(Words.range(s.savedWithin()));
      figure(Words.range(s.saved()));
      html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
  }

  /** A table of what saves the most; the rest is behind a line that opens. */
  private <T> void folded(String title, List<T> rows, BiConsumer<String, List<T>> table) {
    if (rows.isEmpty()) {
      return;
    }
    html.raw("<h3>").text(title).raw("</h3>");
    int seen = Math.min(SEEN_ROWS, rows.size());
    table.accept(title, rows.subList(0, seen));
    if (seen < rows.size()) {
      String more = Format.count(rows.size() - seen) + " more, which save less";
      html.raw("<details><summary>").text(more).raw("</summary>");
      table.accept(title + ", " + more, rows.subList(seen, rows.size()));
      html.raw("</details>");
    }
  }

  private void notBatched(List<Report.NotBatched> all) {
    if (all.isEmpty()) {
      return;
    }
    head("Not shared, and why", "Function", "Kind", "In", "Because", "Queries");
    for (Report.NotBatched n : all) {
      html.raw("<tr><th scope=\"row\">").text(n.function()).raw("</th><td>");
      html.text(n.kind()).raw("</td><td>").text(n.operator()).raw("</td><td>");
      html.text(n.why()).raw("</td><td>");
      html.text(n.queries().toString().replaceAll("[\\[\\]]", "")).raw("</td></tr>");
    }
    html.raw("</tbody></table></div>");
  }

  private void head(String title, String... columns) {
    html.raw("<h3>").text(title).raw("</h3>");
    table(title, columns);
  }

  /**
   * A table that can be scrolled by the keyboard where it is wider than the page.
   *
   * @param columns their heads; # before those of figures
   */
  private void table(String title, String... columns) {
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    html.text(title).raw("\"><table><thead><tr>");
    for (String column : columns) {
      boolean isFigure = column.startsWith("#");
      html.raw(isFigure ? "<th scope=\"col\" class=\"num\">" : "<th scope=\"col\">");
      html.text(isFigure ? column.substring(1) : column).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
  }

  private void figure(String text) {
    html.raw("<td class=\"num\">").text(text).raw("</td>");
  }

  private void verdict(Verdict verdict) {
    html.raw("<td class=\"verdict ").raw(verdict.name()).raw("\">");
    html.text(verdict.text()).raw("</td>");
  }
}
