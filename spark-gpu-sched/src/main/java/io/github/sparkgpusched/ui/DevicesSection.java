package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.DeviceMeasures;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Measure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The load table with bars, and each device's utilisation over time. */
final class DevicesSection {
  static final String NAME = "devices";

  private static final String FILTER = "devices.filter";

  /** Measures that are shown in a way of their own, or beside another; all others follow them. */
  private static final Set<Measure<DeviceLoad>> SHOWN =
      Set.of(
          DeviceMeasures.ROWS,
          DeviceMeasures.BLOCKS,
          DeviceMeasures.STEALS,
          DeviceMeasures.STEAL_REQUESTS,
          DeviceMeasures.QUEUE_DEPTH,
          DeviceMeasures.USED_MEMORY,
          DeviceMeasures.FREE_MEMORY);

  private final LoadView view;
  private final Query query;
  private final PagedTable<LoadView.Device> table;
  private final List<LoadView.Device> sorted;

  DevicesSection(LoadView view, Query query, Links links) {
    this.view = view;
    this.query = query;
    String filter = query.get(FILTER, "");
    List<LoadView.Device> shown =
        view.devices().stream().filter(d -> Names.has(name(d), filter)).toList();
    long mostRows = shown.stream().mapToLong(d -> d.load().rows()).max().orElse(0);
    table =
        new PagedTable<LoadView.Device>(NAME, "Devices", query)
            .sortedBy("executor", false)
            .column(
                "executor",
                "Executor",
                "Spark's id of the executor, which leads to Spark's row of it, with its logs",
                Comparator.comparing(DevicesSection::name, Names.ORDER),
                (html, d) ->
                    html.raw("<td><a href=\"")
                        .text(links.executors())
                        .raw("\">")
                        .text(d.executorId())
                        .raw("</a></td>"))
            .text("device", "Device", "Kind and number", d -> d.load().device())
            .column(
                "state",
                "State",
                "active, quarantined, or ended with its executor",
                Comparator.comparing(LoadView.Device::state),
                (html, d) ->
                    html.raw("<td><span class=\"gs-state gs-")
                        .text(d.state())
                        .raw("\">")
                        .text(d.state())
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
                DeviceMeasures.ROWS.name(),
                DeviceMeasures.ROWS.title(),
                DeviceMeasures.ROWS.description(),
                Comparator.comparingLong(d -> d.load().rows()),
                (html, d) ->
                    Pictures.bar(
                        html,
                        mostRows == 0 ? 0 : (double) d.load().rows() / mostRows,
                        Format.count(d.load().rows())))
            .measure(of(DeviceMeasures.BLOCKS), view.devices());
    parts(DeviceMeasures.STEALS, DeviceMeasures.STEAL_REQUESTS);
    table.measure(of(DeviceMeasures.QUEUE_DEPTH), view.devices());
    DeviceMeasures.ALL.stream()
        .filter(measure -> !SHOWN.contains(measure))
        .forEach(measure -> table.measure(of(measure), view.devices()));
    addMemory();
    if (view.devices().stream().anyMatch(d -> d.ageMillis() != null)) {
      table.figures(
          "age",
          "Reported",
          "Age of these figures; a device without work does not report",
          Comparator.comparingLong(d -> d.ageMillis() == null ? 0 : d.ageMillis()),
          d -> d.ageMillis() == null ? "" : Format.millis(d.ageMillis()) + " ago");
    }
    sorted = table.sorted(shown);
  }

  private static Measure<LoadView.Device> of(Measure<DeviceLoad> measure) {
    return measure.of(LoadView.Device::load);
  }

  /** A column of a measure that is a part of another one. */
  private void parts(Measure<DeviceLoad> part, Measure<DeviceLoad> whole) {
    table.figures(
        part.name(),
        part.title(),
        part.description(),
        Comparator.comparingLong(d -> part.kept(d.load())),
        d -> Format.count(part.kept(d.load())) + " of " + Format.count(whole.kept(d.load())));
  }

  private void addMemory() {
    if (view.devices().stream().allMatch(d -> d.load().usedBytes() == null)) {
      return;
    }
    table.numbers(
        DeviceMeasures.USED_MEMORY.name(),
        DeviceMeasures.USED_MEMORY.title(),
        DeviceMeasures.USED_MEMORY.description() + "; empty where it has none",
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

  static String name(LoadView.Device device) {
    return device.executorId() + "/" + device.load().device();
  }

  private static double busyPart(LoadView.Device device) {
    double all = (double) device.load().busyNanos() + device.load().idleNanos();
    return all <= 0 ? 0 : device.load().busyNanos() / all;
  }

  /** Intervals of the time axis that have begun by the time of the view. */
  static int usedBuckets(LoadView view) {
    if (view.axisStartMillis() < 0) {
      return 1;
    }
    long begun = (view.timeMillis() - view.axisStartMillis()) / view.bucketMillis() + 1;
    return (int) Math.max(1, begun);
  }

  /** The devices on the page that is shown. */
  List<LoadView.Device> page() {
    return new ArrayList<>(table.page(sorted));
  }

  void render(Html html) {
    String filter = query.get(FILTER, "");
    if (!view.devices().isEmpty()) {
      html.raw("<form class=\"gs-filter\" method=\"get\" action=\"#").raw(NAME).raw("\">");
      query.hidden(html, FILTER, NAME + ".page");
      html.raw("<label>Executor or device <input name=\"")
          .raw(FILTER)
          .raw("\" type=\"search\" value=\"")
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
          .raw(" per bar, the busier the higher.");
      if (view.forgottenExecutors() > 0) {
        html.raw(" ")
            .text(Format.count(view.forgottenExecutors(), "executor"))
            .raw(" that ended: only in the sums above.");
      }
      html.raw("</p>");
    }
  }
}
