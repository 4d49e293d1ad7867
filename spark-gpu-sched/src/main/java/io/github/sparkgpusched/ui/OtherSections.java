package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.UdfLoad;
import java.util.Comparator;

/** The tables below the timeline: UDFs, calls that stay row by row, stages, device events. */
final class OtherSections {
  private OtherSections() {}

  static void udfs(Html html, LoadView view, Query query) {
    if (view.udfs().isEmpty()) {
      html.raw("<p>No UDF was computed in batches yet.</p>");
    } else {
      long most = view.udfs().stream().mapToLong(UdfLoad::busyNanos).max().orElse(1);
      PagedTable<UdfLoad> table =
          new PagedTable<UdfLoad>("udfs", query)
              .sortedBy("time", true)
              .text(
                  "udf",
                  "UDF",
                  "As it was registered; several names if they are computed together",
                  UdfLoad::udf)
              .count("rows", "Rows", "Rows computed, also for attempts that failed", UdfLoad::rows)
              .numbers(
                  "time",
                  "Time",
                  "Time computing, summed over devices",
                  Comparator.comparingLong(UdfLoad::busyNanos),
                  (cell, udf) ->
                      Pictures.bar(
                          cell,
                          (double) udf.busyNanos() / Math.max(1, most),
                          Format.nanos(udf.busyNanos())))
              .nanos(
                  "perrow",
                  "Time a row",
                  "Time computing divided by rows",
                  udf -> udf.rows() == 0 ? 0 : udf.busyNanos() / udf.rows())
              .count("blocks", "Blocks", "Blocks computed", UdfLoad::blocks)
              .count(
                  "stolen",
                  "Stolen blocks",
                  "Blocks computed by another device than they were first dealt to",
                  UdfLoad::stolenBlocks)
              .nanos(
                  "p50",
                  "Block p50",
                  "Half of the blocks took at most this; up to a quarter too large",
                  udf -> udf.times().quantileNanos(0.5))
              .nanos(
                  "p95",
                  "Block p95",
                  "19 of 20 blocks took at most this; up to a quarter too large",
                  udf -> udf.times().quantileNanos(0.95))
              .nanos("max", "Block max", "The longest block", udf -> udf.times().maxNanos());
      if (view.udfs().stream().anyMatch(udf -> udf.transfers().totalBytes() > 0)) {
        table
            .numbers(
                "bytes",
                "Copied",
                "Bytes to and from GPUs",
                Comparator.comparingLong(udf -> udf.transfers().totalBytes()),
                (cell, udf) ->
                    cell.raw("<td class=\"gs-num\">")
                        .text(Format.bytes(udf.transfers().totalBytes()))
                        .raw("</td>"))
            .nanos(
                "copying",
                "Copying",
                "Time of those copies, which may run beside kernels",
                udf -> udf.transfers().nanos());
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
            .count("tasks", "Tasks", "Successful tasks that had rows computed", StageLoad::tasks)
            .count("rows", "Rows", "Rows computed for successful tasks", StageLoad::rows)
            .count("blocks", "Blocks", "Blocks computed", StageLoad::blocks)
            .count("stolen", "Stolen blocks", "", StageLoad::stolenBlocks)
            .nanos("time", "Time", "Time computing, summed over devices", StageLoad::busyNanos)
            .count("devices", "Devices", "Devices that took part", StageLoad::devices);
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
