package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Measure;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.UdfMeasures;
import io.github.sparkgpusched.load.WorkMeasures;
import java.util.Comparator;

/** The tables below the timeline: UDFs, calls that stay row by row, stages, device events. */
final class OtherSections {
  private OtherSections() {}

  static void udfs(Html html, LoadView view, Query query) {
    if (view.udfs().isEmpty()) {
      html.raw("<p>No UDF was computed in batches yet.</p>");
    } else {
      PagedTable<UdfLoad> table =
          new PagedTable<UdfLoad>("udfs", query)
              .sortedBy(WorkMeasures.BUSY.name(), true)
              .text(
                  "udf",
                  "UDF",
                  "As it was registered; several names if they are computed together",
                  UdfLoad::udf);
      long most = view.udfs().stream().mapToLong(udf -> udf.work().busyNanos()).max().orElse(1);
      for (Measure<UdfLoad> measure : UdfMeasures.ALL) {
        if (measure.name().equals(WorkMeasures.BUSY.name())) {
          addTime(table, measure, Math.max(1, most));
        } else {
          table.measure(measure, view.udfs());
        }
      }
      table.render(html, table.sorted(view.udfs()));
    }
    if (!view.fallbacks().isEmpty()) {
      html.raw("<h5>Row by row</h5>");
      PagedTable<LoadView.Fallback> table =
          new PagedTable<LoadView.Fallback>("fallbacks", query)
              .sortedBy("plans", true)
              .text("udf", "UDF", "As it was registered", LoadView.Fallback::udf)
              .text("reason", "Stays row by row because", "", LoadView.Fallback::reason)
              .count("plans", "Plans", "Plans with such a call", LoadView.Fallback::plans);
      table.render(html, table.sorted(view.fallbacks()));
    }
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

  static void stages(Html html, LoadView view, Query query, String stagesLink) {
    if (view.stages().isEmpty()) {
      html.raw("<p>No stage has had rows computed yet.</p>");
      return;
    }
    PagedTable<StageLoad> table =
        new PagedTable<StageLoad>("stages", query)
            .sortedBy("stage", true)
            .column(
                "stage",
                "Stage",
                "Spark's id, and the number of the attempt",
                Comparator.comparingLong(s -> s.stageId() * 1000L + s.attempt()),
                (cell, s) ->
                    cell.raw("<td><a href=\"")
                        .text(stagesLink + "?id=" + s.stageId() + "&attempt=" + s.attempt())
                        .raw("\">")
                        .number(s.stageId())
                        .raw(".")
                        .number(s.attempt())
                        .raw("</a></td>"))
            .text("name", "Description", "", StageLoad::name)
            .text("state", "State", "", s -> s.completed() ? "completed" : "running")
            .count("tasks", "Tasks", "Successful tasks that had rows computed", StageLoad::tasks);
    WorkMeasures.ALL.forEach(measure -> table.measure(measure.of(StageLoad::work), view.stages()));
    table.count("devices", "Devices", "Devices that took part", StageLoad::devices);
    table.render(html, table.sorted(view.stages()));
  }

  static void events(Html html, LoadView view, Query query) {
    if (view.events().isEmpty()) {
      html.raw("<p>Nothing has happened to a device.</p>");
      return;
    }
    PagedTable<DeviceEvent> table =
        new PagedTable<DeviceEvent>("events", query)
            .sortedBy("time", true)
            .column(
                "time",
                "Time",
                "When the executor or the driver saw it",
                Comparator.comparingLong(DeviceEvent::timeMillis),
                (cell, e) -> cell.raw("<td>").text(Format.time(e.timeMillis())).raw("</td>"))
            .text("executor", "Executor", "", DeviceEvent::executorId)
            .text("device", "Device", "", DeviceEvent::device)
            .text("kind", "Event", "", DeviceEvent::kind)
            .text("detail", "Details", "", DeviceEvent::detail);
    table.render(html, table.sorted(view.events()));
  }
}
