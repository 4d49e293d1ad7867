package io.github.sparkgpusched.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.DeviceMeasures;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Measure;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.UdfMeasures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The application's load table as Dropwizard metrics of the driver. Names are stable and hold the
 * device, as sinks have no labels: {@code gpusched.application.…} and, by device and UDF, {@code
 * gpusched.device.…} and {@code gpusched.udf.…}. There is a gauge for each {@link Measure}, from
 * when it was first measured on; of each UDF there is a timer, too. Thread-safe.
 */
final class LoadMetrics {
  /**
   * Devices, but for borrowed cores, and UDFs that have metrics of their own; the sums are of all.
   */
  static final int MOST_DEVICES = 256;

  static final int MOST_UDFS = 64;

  /** Sinks read all gauges at once; they are all of one view. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final String APPLICATION = "gpusched.application.";

  private record Snapshot(
      long takenNanos, LoadView view, Map<String, DeviceLoad> devices, Map<String, UdfLoad> udfs) {}

  private final MetricRegistry registry;
  private final ApplicationLoad load;

  // The driver's RPC and listener threads add and remove, sinks read.

  @GuardedBy("this")
  private Snapshot snapshot;

  /** By executor, of as many of its own devices as have metrics. */
  @GuardedBy("this")
  private final Map<String, List<MeasureGauges<DeviceLoad>>> executors = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, MeasureGauges<UdfLoad>> udfs = new HashMap<>();

  @GuardedBy("this")
  private int devices;

  private LoadMetrics(MetricRegistry registry, ApplicationLoad load) {
    this.registry = registry;
    this.load = load;
  }

  /** The driver's metrics. To be called in the plugin's {@code init}, as sinks start after it. */
  static LoadMetrics ofApplication(MetricRegistry registry, ApplicationLoad load) {
    LoadMetrics metrics = new LoadMetrics(registry, load);
    for (Measure<DeviceLoad> measure : DeviceMeasures.ALL) {
      if (measure.growsOnly() && !measure.nullable()) {
        metrics.total(measure.name(), view -> view.total().told(measure));
      }
    }
    metrics.total(DeviceMeasures.BORROWED_ROWS.name(), LoadMetrics::borrowedRows);
    metrics.total("wastedRows", view -> view.wasted().rows());
    metrics.total("wastedMillis", view -> TimeUnit.NANOSECONDS.toMillis(view.wasted().busyNanos()));
    metrics.total("devices", LoadView::runningDevices);
    return metrics;
  }

  /** How often executors have asked the driver about cores; where they share some. */
  static void ofQuestions(MetricRegistry registry, LongSupplier questions) {
    registry.register(APPLICATION + "questions", (Gauge<Long>) questions::getAsLong);
  }

  /** A name as a part of a metric's: a dot in it would begin another part. */
  static String part(String name) {
    return name.replaceAll("[^A-Za-z0-9_-]", "_");
  }

  private static long borrowedRows(LoadView view) {
    Long rows = view.total().told(DeviceMeasures.BORROWED_ROWS);
    return rows == null ? 0 : rows;
  }

  private void total(String name, ToLongFunction<LoadView> value) {
    registry.register(APPLICATION + name, (Gauge<Long>) () -> value.applyAsLong(snapshot().view()));
  }

  private synchronized Snapshot snapshot() {
    long now = System.nanoTime();
    if (snapshot == null || now - snapshot.takenNanos() > FRESH_NANOS) {
      LoadView view = load.reportedView(now, System.currentTimeMillis());
      Map<String, DeviceLoad> byName = new HashMap<>();
      view.devices().forEach(d -> byName.put(key(d.executorId(), d.load()), d.load()));
      Map<String, UdfLoad> byUdf = new HashMap<>();
      view.udfs().forEach(udf -> byUdf.put(udf.udf(), udf));
      snapshot = new Snapshot(now, view, byName, byUdf);
    }
    return snapshot;
  }

  private static String key(String executorId, DeviceLoad device) {
    return part(executorId) + "." + part(device.device());
  }

  /** Adds the metrics of what a report is the first to name or to measure. */
  synchronized void reported(ExecutorLoad report) {
    List<MeasureGauges<DeviceLoad>> known =
        executors.computeIfAbsent(report.executorId(), id -> new ArrayList<>());
    // Borrowed cores may be as many as places: of them the sums tell.
    List<DeviceLoad> own = report.devices().stream().filter(d -> !d.borrowed()).toList();
    for (int i = 0; i < own.size(); i++) {
      DeviceLoad device = own.get(i);
      if (i == known.size() && devices < MOST_DEVICES) {
        known.add(gauges(report, device));
        devices++;
      }
      if (i < known.size()) {
        known.get(i).add(device);
      }
    }
    for (UdfLoad udf : report.udfs()) {
      MeasureGauges<UdfLoad> gauges = udfs.get(udf.udf());
      if (gauges == null && udfs.size() < MOST_UDFS) {
        gauges = gauges(udf.udf());
        udfs.put(udf.udf(), gauges);
      }
      if (gauges != null) {
        gauges.add(udf);
      }
    }
  }

  private MeasureGauges<DeviceLoad> gauges(ExecutorLoad report, DeviceLoad device) {
    String key = key(report.executorId(), device);
    return MeasureGauges.ofDevice(
        registry, "gpusched.device." + key, () -> snapshot().devices().get(key));
  }

  private MeasureGauges<UdfLoad> gauges(String udf) {
    String name = "gpusched.udf." + part(udf);
    if (!registry.getMetrics().containsKey(name + ".blockTime")) {
      UdfLoad none = UdfLoad.none(udf);
      registry.register(
          name + ".blockTime", new BlockTimer(() -> snapshot().udfs().getOrDefault(udf, none)));
    }
    return new MeasureGauges<>(registry, name, UdfMeasures.ALL, () -> snapshot().udfs().get(udf));
  }

  /** Takes an executor's metrics out; the sums still hold what it did. */
  synchronized void executorEnded(String executorId) {
    List<MeasureGauges<DeviceLoad>> known = executors.remove(executorId);
    if (known != null) {
      known.forEach(MeasureGauges::remove);
      devices -= known.size();
    }
  }
}
