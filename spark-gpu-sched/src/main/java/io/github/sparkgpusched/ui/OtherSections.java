package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Measure;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.UdfMeasures;
import io.github.sparkgpusched.load.WorkMeasures;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The tables below the timeline: UDFs, calls that stay row by row, stages, device events. */
final class OtherSections {
  /** Events that somebody has to look after. */
  private static final Set<String> BAD = Set.of("failure", "quarantined");

  /** Of a UDF, those that are named. */
  private static final int MOST_QUERIES = 5;

  private OtherSections() {}

  static void udfs(Html html, LoadView view, Query query, Links links) {
    if (view.udfs().isEmpty()) {
      html.raw("<p>No UDF was computed in batches yet.</p>");
    } else {
      PagedTable<UdfLoad> table =
          new PagedTable<UdfLoad>("udfs", "UDFs", query)
              .sortedBy(WorkMeasures.BUSY.name(), true)
              .prose(
                  "udf",
                  "UDF",
                  "As it was registered; several names if they are computed together",
                  UdfLoad::udf);
      long most = view.udfs().stream().mapToLong(udf -> udf.work().busyNanos()).max().orElse(1);
      for (Measure<UdfLoad> measure : UdfMeasures.ALL) {
        if (measure.name().equals(WorkMeasures.BUSY.name())) {
          addTime(table, measure, Math.max(1, most));
        } else if (measure.equals(UdfMeasures.FAILURES)) {
          addFailures(table);
        } else {
          table.measure(measure, view.udfs());
        }
      }
      table.column(
          "queries",
          "Queries",
          "The last queries that compute it, each of which leads to its plan",
          null,
          (cell, udf) -> queries(cell, udf, view, links));
      table.render(html, table.sorted(view.udfs()));
    }
    if (!view.fallbacks().isEmpty()) {
      html.raw("<h5>Row by row</h5>");
      PagedTable<LoadView.Fallback> table =
          new PagedTable<LoadView.Fallback>("fallbacks", "Calls that stay row by row", query)
              .sortedBy("plans", true)
              .prose("udf", "UDF", "As it was registered", LoadView.Fallback::udf)
              .prose(
                  "reason",
                  "Stays row by row because",
                  "What keeps its rows out of batches, and what to change",
                  LoadView.Fallback::reason)
              .count("plans", "Plans", "Plans with such a call", LoadView.Fallback::plans);
      table.render(html, table.sorted(view.fallbacks()));
    }
  }

  private static void queries(Html cell, UdfLoad udf, LoadView view, Links links) {
    List<String> names = List.of(udf.udf().split(", ", -1));
    List<QueryLoad> of =
        view.queries().stream().filter(query -> query.udfs().containsAll(names)).toList();
    cell.raw("<td>");
    for (QueryLoad query : of.subList(Math.max(0, of.size() - MOST_QUERIES), of.size())) {
      cell.raw("<a href=\"")
          .text(links.query(query.id()))
          .raw("\">")
          .number(query.id())
          .raw("</a> ");
    }
    cell.raw("</td>");
  }

  /** In red where there are any: somebody has to look after them. */
  private static void addFailures(PagedTable<UdfLoad> table) {
    Measure<UdfLoad> failures = UdfMeasures.FAILURES;
    table.numbers(
        failures.name(),
        failures.title(),
        failures.description(),
        Comparator.comparingLong(UdfLoad::failures),
        (cell, udf) ->
            cell.raw(udf.failures() > 0 ? "<td class=\"gs-num gs-bad\">" : "<td class=\"gs-num\">")
                .text(Format.count(udf.failures()))
                .raw("</td>"));
  }

  /** Time as a bar, and that of a row. */
  private static void addTime(PagedTable<UdfLoad> table, Measure<UdfLoad> time, long most) {
    table
        .numbers(
            time.name(),
            time.title(),
            time.description(),
            Comparator.comparingLong(time::kept),
            (cell, udf) ->
                Pictures.bar(cell, (double) time.kept(udf) / most, Format.nanos(time.kept(udf))))
        .nanos(
            "perrow",
            "Time per row",
            "Time computing divided by rows",
            udf -> udf.work().rows() == 0 ? 0 : time.kept(udf) / udf.work().rows());
  }

  static void stages(Html html, LoadView view, Query query, Links links) {
    if (view.stages().isEmpty()) {
      html.raw("<p>No stage has had rows computed yet.</p>");
      return;
    }
    PagedTable<StageLoad> table =
        new PagedTable<StageLoad>("stages", "Stages", query)
            .sortedBy("stage", true)
            .column(
                "stage",
                "Stage",
                "Spark's id, and the number of the attempt",
                Comparator.comparingLong(s -> s.stageId() * 1000L + s.attempt()),
                (cell, s) ->
                    cell.raw("<td><a href=\"")
                        .text(links.stage(s.stageId(), s.attempt()))
                        .raw("\">")
                        .number(s.stageId())
                        .raw(".")
                        .number(s.attempt())
                        .raw("</a></td>"))
            .prose(
                "name",
                "Description",
                "The query's description, or else where it was called",
                StageLoad::name)
            .column(
                "state",
                "State",
                "running, completed or failed",
                Comparator.comparing(StageLoad::state),
                (cell, s) -> state(cell, s.state(), s.failure()))
            .figures(
                "tasks",
                "Tasks",
                "Successful tasks that had rows computed, of all tasks of the stage",
                Comparator.comparingLong(StageLoad::tasks),
                s ->
                    Format.count(s.tasks())
                        + (s.allTasks() == 0 ? "" : " of " + Format.count(s.allTasks())));
    if (view.stages().stream().anyMatch(s -> s.runningTasks() > 0)) {
      table.count(
          "running", "Running", "Tasks that have rows computed now", StageLoad::runningTasks);
    }
    WorkMeasures.ALL.forEach(measure -> table.measure(measure.of(StageLoad::work), view.stages()));
    table.count(
        "devices", "Devices", "Devices that took part in tasks that succeeded", StageLoad::devices);
    table.render(html, table.sorted(view.stages()));
  }

  /** How it goes, and why it failed if it did. */
  static void state(Html cell, String state, String failure) {
    cell.raw("<td><span class=\"gs-state gs-").raw(state).raw("\">").raw(state).raw("</span>");
    if (failure != null) {
      cell.raw(" <span class=\"gs-why\">").text(failure).raw("</span>");
    }
    cell.raw("</td>");
  }

  static void events(Html html, LoadView view, Query query) {
    if (view.events().isEmpty()) {
      html.raw("<p>Nothing has happened to a device.</p>");
      return;
    }
    PagedTable<DeviceEvent> table =
        new PagedTable<DeviceEvent>("events", "Device events", query)
            .sortedBy("time", true)
            .column(
                "time",
                "Time",
                "When the executor or the driver saw it",
                Comparator.comparingLong(DeviceEvent::timeMillis),
                (cell, e) ->
                    cell.raw("<td class=\"gs-whole\">")
                        .text(Format.time(e.timeMillis()))
                        .raw("</td>"))
            .text("executor", "Executor", "Spark's id of the executor", DeviceEvent::executorId)
            .text(
                "device",
                "Device",
                "Kind and number; empty if it concerns all of the executor",
                DeviceEvent::device)
            .column(
                "kind",
                "Event",
                "started, borrowed, active, quarantined, failure or ended",
                Comparator.comparing(DeviceEvent::kind),
                (cell, e) ->
                    cell.raw(BAD.contains(e.kind()) ? "<td class=\"gs-bad\">" : "<td>")
                        .text(e.kind())
                        .raw("</td>"))
            .prose("detail", "Details", "More about it", DeviceEvent::detail);
    table.render(html, table.sorted(view.events()));
  }
}
