package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.WorkMeasures;
import java.util.Comparator;
import java.util.function.Function;

/** What was computed for which query: who waits for what, how fast it goes, and what is odd. */
final class QueriesSection {
  static final String NAME = "queries";

  private QueriesSection() {}

  static void render(Html html, LoadView view, Query query, Links links) {
    if (view.queries().isEmpty()) {
      html.raw("<p>No query has had calls that devices compute yet.</p>");
      return;
    }
    PagedTable<QueryLoad> table =
        new PagedTable<QueryLoad>(NAME, "Queries", query)
            .sortedBy("query", true)
            .column(
                "query",
                "Query",
                "Spark's id of the SQL execution, which leads to its plan",
                Comparator.comparingLong(QueryLoad::id),
                (cell, q) ->
                    cell.raw("<td><a href=\"")
                        .text(links.query(q.id()))
                        .raw("\">")
                        .number(q.id())
                        .raw("</a></td>"))
            .prose(
                "description",
                "Description",
                "The user's, or else where it was called",
                QueryLoad::description)
            .text("user", "User", "Who asks for it, and by which session", QueryLoad::user)
            .column(
                "state",
                "State",
                "running, completed or failed",
                Comparator.comparing(QueryLoad::state),
                (cell, q) -> OtherSections.state(cell, q.state(), q.failure()))
            .prose(
                "udfs",
                "UDFs",
                "What it computes in batches, or where its rows are",
                q -> String.join(", ", q.udfs()));
    WorkMeasures.ALL.forEach(measure -> table.measure(measure.of(QueryLoad::work), view.queries()));
    maybe(
        table,
        "rate",
        "Rows/s",
        "Rows a second, of the last ten seconds; empty if it has ended",
        QueryLoad::rowsPerSecond,
        Format::count);
    maybe(
        table,
        "left",
        "Left",
        "How long its running stages will run on, if they go on as they did; later stages are not"
            + " known",
        QueryLoad::leftMillis,
        Format::millis);
    table
        .count(
            "wasted",
            "Wasted",
            "Rows of its task attempts that failed or were killed",
            QueryLoad::wastedRows)
        .figures(
            "skew",
            "Skew",
            "The longest time that devices computed for a task, divided by that of the median task"
                + " of its stage; empty with fewer than four tasks",
            Comparator.comparingDouble(q -> q.skew() == null ? 0 : q.skew()),
            q -> q.skew() == null ? "" : Format.skew(q.skew()))
        .column(
            "stages",
            "Stages",
            "Its stages with rows to compute, each of which leads to its time in the timeline",
            null,
            (cell, q) -> {
              cell.raw("<td>");
              for (String stage : q.stages()) {
                TimelineSection.link(cell, query, stage);
              }
              cell.raw("</td>");
            });
    table.render(html, table.sorted(view.queries()));
  }

  /** A column of a figure that not every query has. */
  private static void maybe(
      PagedTable<QueryLoad> table,
      String key,
      String title,
      String hint,
      Function<QueryLoad, Long> figure,
      Function<Long, String> text) {
    table.figures(
        key,
        title,
        hint,
        Comparator.comparingLong(q -> figure.apply(q) == null ? -1 : figure.apply(q)),
        q -> {
          Long known = figure.apply(q);
          return known == null ? "" : text.apply(known);
        });
  }
}
