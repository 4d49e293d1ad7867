package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.DeviceMeasures;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Measure;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.UdfMeasures;
import io.github.sparkgpusched.load.Unit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The load in Prometheus' text format, with application, executor, device and UDF as labels.
 * Spark's own sinks have no labels: there, names that differ in what a metric's may not have become
 * one.
 */
final class MetricsText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder out = new StringBuilder();
  private final Map<String, String> application = new LinkedHashMap<>();

  private MetricsText(String id, String name) {
    application.put("application", id);
    application.put("application_name", name);
  }

  /**
   * All series: of the application, of devices of executors that run, and of UDFs.
   *
   * @param id Spark's id of the application
   * @param name what its user calls it
   */
  static String of(LoadView view, String id, String name) {
    MetricsText text = new MetricsText(id, name);
    text.application(view);
    List<LoadView.Device> devices = view.devices().stream().filter(d -> !d.ended()).toList();
    for (Measure<LoadView.Device> measure : ofDevices()) {
      text.family("gpusched_device_", measure, devices, MetricsText::labels);
    }
    text.head("gpusched_device_active", "gauge", "1 if the device takes work, else 0");
    for (LoadView.Device device : devices) {
      text.sample(
          "gpusched_device_active", labels(device), device.state().equals("active") ? "1" : "0");
    }
    for (Measure<UdfLoad> measure : UdfMeasures.ALL) {
      text.family("gpusched_udf_", measure, view.udfs(), udf -> Map.of("udf", udf.udf()));
    }
    return text.out.toString();
  }

  private static List<Measure<LoadView.Device>> ofDevices() {
    return DeviceMeasures.ALL.stream().map(measure -> measure.of(LoadView.Device::load)).toList();
  }

  private static Map<String, String> labels(LoadView.Device device) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("executor", device.executorId());
    labels.put("device", device.load().device());
    return labels;
  }

  private void application(LoadView view) {
    for (Measure<LoadView.Device> measure : ofDevices()) {
      Long sum = view.total().sums().get(measure.keptName());
      if (measure.growsOnly() && sum != null) {
        String name = name("gpusched_application_", measure);
        head(name, "counter", measure.description() + ", by all devices");
        sample(name, Map.of(), value(measure.unit(), sum));
      }
    }
    single("wasted_rows_total", "counter", "Rows that nobody could use", view.wasted().rows());
    head("gpusched_application_wasted_seconds_total", "counter", "Time spent on these");
    sample(
        "gpusched_application_wasted_seconds_total",
        Map.of(),
        value(Unit.MILLIS, view.wasted().busyNanos()));
    // From the start: of a series that begins at 1, Prometheus sees no increase.
    single(
        "udf_failures_total",
        "counter",
        "Blocks that ended in an error, and tasks that did so at a row where it was",
        view.udfFailures());
    single("devices", "gauge", "Devices of executors that run", view.runningDevices());
    single(
        "running_tasks",
        "gauge",
        "Tasks that have rows computed",
        view.stages().stream().mapToLong(stage -> stage.runningTasks()).sum());
  }

  private void single(String name, String type, String help, long value) {
    head("gpusched_application_" + name, type, help);
    sample("gpusched_application_" + name, Map.of(), String.valueOf(value));
  }

  /** The series of a measure; nothing if nobody has it. */
  private <T> void family(
      String prefix, Measure<T> measure, List<T> of, Function<T, Map<String, String>> labels) {
    String name = name(prefix, measure);
    boolean begun = false;
    for (T each : of) {
      Long kept = measure.kept(each);
      if (kept != null) {
        if (!begun) {
          head(name, measure.growsOnly() ? "counter" : "gauge", measure.description());
          begun = true;
        }
        sample(name, labels.apply(each), value(measure.unit(), kept));
      }
    }
  }

  /**
   * A measure's name as Prometheus has names: {@code busyMillis} is {@code busy_seconds_total}, as
   * there all times are in seconds.
   */
  static String name(String prefix, Measure<?> measure) {
    String base = measure.name().replaceFirst("(Millis|Micros)$", "Seconds");
    String snake = base.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return prefix + snake + (measure.growsOnly() ? "_total" : "");
  }

  /** Times are kept in nanoseconds. */
  private static String value(Unit unit, long kept) {
    return unit.isTime() ? String.valueOf(kept / 1e9) : String.valueOf(kept);
  }

  private void head(String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(escape(help)).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void sample(String name, Map<String, String> labels, String value) {
    out.append(name).append('{');
    label(application);
    label(labels);
    out.setLength(out.length() - 1); // the last comma: there is always a label
    out.append("} ").append(value).append('\n');
  }

  private void label(Map<String, String> labels) {
    labels.forEach(
        (name, text) -> out.append(name).append("=\"").append(escape(text)).append("\","));
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
