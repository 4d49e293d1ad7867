package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The load table with bars, and each device's utilisation over time. */
final class DevicesSection {
  static final String NAME = "devices";

  private final LoadView view;
  private final Query query;
  private final PagedTable<LoadView.Device> table;
  private final List<LoadView.Device> sorted;

  DevicesSection(LoadView view, Query query) {
    this.view = view;
    this.query = query;
    String filter = query.get("devices.filter", "").trim().toLowerCase(Locale.ROOT);
    List<LoadView.Device> shown =
        view.devices().stream()
            .filter(d -> filter.isEmpty() || name(d).toLowerCase(Locale.ROOT).contains(filter))
            .toList();
    long mostRows = shown.stream().mapToLong(d -> d.load().rows()).max().orElse(0);
    table =
        new PagedTable<LoadView.Device>(NAME, query)
            .sortedBy("executor", false)
            .column(
                "executor",
                "Executor",
                "Spark's id of the executor",
                DevicesSection::compareNames,
                (html, d) -> html.raw("<td>").text(d.executorId()).raw("</td>"))
            .text("device", "Device", "Kind and number", d -> d.load().device())
            .column(
                "state",
                "State",
                "active, draining, quarantined, or ended with its executor",
                Comparator.comparing(DevicesSection::state),
                (html, d) ->
                    html.raw("<td><span class=\"gs-state gs-")
                        .text(state(d))
                        .raw("\">")
                        .text(state(d))
                        .raw("</span></td>"))
            .column(
                "time",
                "Utilisation over time",
                "Busy time in equal intervals since the application's first report",
                null,
                (html, d) -> {
                  html.raw("<td class=\"gs-striptd\">");
                  Pictures.strip(html, d.utilisation(), usedBuckets(view));
                  html.raw("</td>");
                })
            .numbers(
                "busy",
                "Busy",
                "Time computing, of the time since the device was made",
                Comparator.comparingDouble(DevicesSection::busyPart),
                (html, d) ->
                    Pictures.bar(
                        html,
                        busyPart(d),
                        String.format(Locale.ROOT, "%.1f %%", busyPart(d) * 100)))
            .numbers(
                "rows",
                "Rows",
                "Rows computed",
                Comparator.comparingLong(d -> d.load().rows()),
                (html, d) ->
                    Pictures.bar(
                        html,
                        mostRows == 0 ? 0 : (double) d.load().rows() / mostRows,
                        Format.count(d.load().rows())))
            .count("blocks", "Blocks", "Blocks computed", d -> d.load().blocks())
            .numbers(
                "steals",
                "Steals",
                "Times that the device got rows of another, of the times that it looked for some",
                Comparator.comparingLong(d -> d.load().steals()),
                (html, d) ->
                    html.raw("<td class=\"gs-num\">")
                        .text(Format.count(d.load().steals()))
                        .raw(" of ")
                        .text(Format.count(d.load().stealRequests()))
                        .raw("</td>"))
            .count(
                "queue",
                "Queue",
                "Rows dealt to the device and not begun",
                d -> d.load().queueDepth())
            .numbers(
                "inflight",
                "In flight",
                "Blocks computed now, of those that the device holds at once",
                Comparator.comparingInt(d -> d.load().inFlight()),
                (html, d) ->
                    html.raw("<td class=\"gs-num\">")
                        .number(d.load().inFlight())
                        .raw(" of ")
                        .number(d.load().capacity())
                        .raw("</td>"))
            .count(
                "failures", "Failures", "Blocks that ended in an error", d -> d.load().failures())
            .nanos("busytime", "Busy time", "Time computing blocks", d -> d.load().busyNanos())
            .nanos("idle", "Idle time", "Time without a block", d -> d.load().idleNanos());
    addMeasured("stalled", "Stalled", d -> d.stalledNanos(), Format::nanos);
    addMeasured(
        "copied",
        "Copied",
        d -> d.transfers() == null ? null : d.transfers().totalBytes(),
        Format::bytes);
    addMeasured("offers", "Offers", d -> d.offers(), Format::count);
    addMemory();
    if (view.devices().stream().anyMatch(d -> d.ageMillis() != null)) {
      table.numbers(
          "age",
          "Reported",
          "Age of these figures; a device without work does not report",
          Comparator.comparingLong(d -> d.ageMillis() == null ? 0 : d.ageMillis()),
          (html, d) ->
              html.raw("<td class=\"gs-num\">")
                  .text(d.ageMillis() == null ? "" : Format.millis(d.ageMillis()) + " ago")
                  .raw("</td>"));
    }
    sorted = table.sorted(shown);
  }

  /** A column of what only some kinds of device measure, if a device does. */
  private void addMeasured(
      String key, String title, Function<DeviceLoad, Long> value, Function<Long, String> format) {
    if (view.devices().stream().allMatch(d -> value.apply(d.load()) == null)) {
      return;
    }
    table.numbers(
        key,
        title,
        "Empty where a kind of device does not measure it",
        Comparator.comparingLong(d -> value.apply(d.load()) == null ? -1 : value.apply(d.load())),
        (html, d) -> {
          Long measured = value.apply(d.load());
          html.raw("<td class=\"gs-num\">")
              .text(measured == null ? "" : format.apply(measured))
              .raw("</td>");
        });
  }

  private void addMemory() {
    if (view.devices().stream().allMatch(d -> d.load().usedBytes() == null)) {
      return;
    }
    table.numbers(
        "memory",
        "Memory",
        "In use, of the device's own; empty where it has none",
        Comparator.comparingLong(d -> d.load().usedBytes() == null ? -1 : d.load().usedBytes()),
        (html, d) -> {
          Long used = d.load().usedBytes();
          Long free = d.load().freeBytes();
          if (used == null || free == null) {
            html.raw("<td></td>");
          } else {
            Pictures.bar(html, (double) used / Math.max(1, used + free), Format.bytes(used));
          }
        });
  }

  /** Executor ids are numbers but for the driver's: 2 comes before 10. */
  private static int compareNames(LoadView.Device a, LoadView.Device b) {
    int byLength = Integer.compare(a.executorId().length(), b.executorId().length());
    return byLength != 0 ? byLength : a.executorId().compareTo(b.executorId());
  }

  static String name(LoadView.Device device) {
    return device.executorId() + "/" + device.load().device();
  }

  private static String state(LoadView.Device device) {
    return device.ended() ? "ended" : ApplicationLoad.stateName(device.load());
  }

  private static double busyPart(LoadView.Device device) {
    double all = (double) device.load().busyNanos() + device.load().idleNanos();
    return all <= 0 ? 0 : device.load().busyNanos() / all;
  }

  /** Intervals of the time axis that have begun. */
  static int usedBuckets(LoadView view) {
    if (view.axisStartMillis() < 0) {
      return 1;
    }
    long last = view.axisStartMillis();
    for (LoadView.Device device : view.devices()) {
      List<Integer> percent = device.utilisation();
      for (int i = percent.size() - 1; i >= 0; i--) {
        if (percent.get(i) > 0) {
          last = Math.max(last, view.axisStartMillis() + i * view.bucketMillis());
          break;
        }
      }
    }
    return (int) ((last - view.axisStartMillis()) / view.bucketMillis()) + 1;
  }

  /** The devices on the page that is shown. */
  List<LoadView.Device> page() {
    return new ArrayList<>(table.page(sorted));
  }

  void render(Html html) {
    String filter = query.get("devices.filter", "");
    if (view.devices().size() > PagedTable.PAGE_ROWS || !filter.isEmpty()) {
      html.raw("<form class=\"gs-filter\" method=\"get\"><label>Executor or device ")
          .raw("<input name=\"devices.filter\" type=\"search\" value=\"")
          .text(filter)
          .raw("\"></label> <button class=\"btn btn-sm btn-secondary\">Filter</button></form>");
    }
    if (sorted.isEmpty()) {
      html.raw("<p>")
          .text(filter.isEmpty() ? "No executor has reported yet." : "No device has such a name.")
          .raw("</p>");
      return;
    }
    table.render(html, sorted);
    if (view.axisStartMillis() >= 0) {
      html.raw("<p class=\"gs-note\">Utilisation from ")
          .text(Format.time(view.axisStartMillis()))
          .raw(" on, ")
          .text(Format.millis(view.bucketMillis()))
          .raw(" a cell, the fuller the busier.");
      if (view.forgottenExecutors() > 0) {
        html.raw(" ")
            .text(Format.count(view.forgottenExecutors()))
            .raw(" executors that ended are only in the sums above.");
      }
      html.raw("</p>");
    }
  }
}
