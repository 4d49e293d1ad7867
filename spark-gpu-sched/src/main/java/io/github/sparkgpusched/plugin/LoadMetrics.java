package io.github.sparkgpusched.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.UdfLoad;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The load table as Dropwizard metrics. Names are stable and hold the device, as sinks have no
 * labels: {@code gpusched.application.…} and, by device and UDF, {@code gpusched.device.…} and
 * {@code gpusched.udf.…} on the driver; {@code gpusched.executor.…} on an executor. Gauges are of
 * figures that only grow, but for depths, states and quantiles; of each UDF there is a timer, too.
 * Thread-safe.
 */
final class LoadMetrics {
  /** Devices and UDFs that have metrics of their own; the sums are of all. */
  static final int MOST_DEVICES = 256;

  static final int MOST_UDFS = 64;

  /** Sinks read all gauges at once; they are all of one view. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private record Snapshot(
      long takenNanos, LoadView view, Map<String, DeviceLoad> devices, Map<String, UdfLoad> udfs) {}

  private final MetricRegistry registry;
  private final ApplicationLoad load;

  // Guarded by this: the driver's RPC and listener threads add and remove, sinks read.
  private Snapshot snapshot;
  private final Map<String, Set<String>> namesByExecutor = new HashMap<>();
  private final Set<String> udfs = new HashSet<>();
  private int devices;

  private LoadMetrics(MetricRegistry registry, ApplicationLoad load) {
    this.registry = registry;
    this.load = load;
  }

  /** The driver's metrics. To be called in the plugin's {@code init}, as sinks start after it. */
  static LoadMetrics ofApplication(MetricRegistry registry, ApplicationLoad load) {
    LoadMetrics metrics = new LoadMetrics(registry, load);
    metrics.total("rows", view -> view.total().rows());
    metrics.total("blocks", view -> view.total().blocks());
    metrics.total("stealRequests", view -> view.total().stealRequests());
    metrics.total("steals", view -> view.total().steals());
    metrics.total("failures", view -> view.total().failures());
    metrics.total("busyMillis", view -> millis(view.total().busyNanos()));
    metrics.total("wastedRows", view -> view.wasted().rows());
    metrics.total("wastedMillis", view -> millis(view.wasted().busyNanos()));
    metrics.total("devices", view -> view.devices().stream().filter(d -> !d.ended()).count());
    return metrics;
  }

  /** An executor's metrics: its own devices. */
  static void ofExecutor(MetricRegistry registry, LoadTable table) {
    for (int i = 0; i < table.size(); i++) {
      int device = i;
      String name = "gpusched.executor." + part(table.entry(i).device());
      deviceGauges(
          (metric, value) ->
              registry.register(
                  name + "." + metric,
                  (Gauge<Long>) () -> value.applyAsLong(table.entry(device).snapshot())));
    }
  }

  private interface Registrar {
    void register(String metric, ToLongFunction<DeviceLoad> value);
  }

  private static void deviceGauges(Registrar to) {
    to.register("rows", DeviceLoad::rows);
    to.register("blocks", DeviceLoad::blocks);
    to.register("stealRequests", DeviceLoad::stealRequests);
    to.register("steals", DeviceLoad::steals);
    to.register("failures", DeviceLoad::failures);
    to.register("queueDepth", DeviceLoad::queueDepth);
    to.register("inFlight", DeviceLoad::inFlight);
    to.register("busyMillis", device -> millis(device.busyNanos()));
    to.register("idleMillis", device -> millis(device.idleNanos()));
    to.register("active", device -> device.state() == DeviceState.ACTIVE ? 1 : 0);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** A name as a part of a metric's: a dot in it would begin another part. */
  static String part(String name) {
    return name.replaceAll("[^A-Za-z0-9_-]", "_");
  }

  private void total(String name, ToLongFunction<LoadView> value) {
    registry.register(
        "gpusched.application." + name, (Gauge<Long>) () -> value.applyAsLong(snapshot().view()));
  }

  private synchronized Snapshot snapshot() {
    long now = System.nanoTime();
    if (snapshot == null || now - snapshot.takenNanos() > FRESH_NANOS) {
      LoadView view = load.view(now, System.currentTimeMillis());
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

  /** Adds the metrics of devices and UDFs that a report is the first to name. */
  synchronized void reported(ExecutorLoad report) {
    if (!namesByExecutor.containsKey(report.executorId())) {
      Set<String> names = new HashSet<>();
      namesByExecutor.put(report.executorId(), names);
      for (DeviceLoad device : report.devices()) {
        if (devices < MOST_DEVICES) {
          devices++;
          add(names, key(report.executorId(), device));
        }
      }
    }
    for (UdfLoad udf : report.udfs()) {
      if (!udfs.contains(udf.udf()) && udfs.size() < MOST_UDFS) {
        add(udf.udf());
      }
    }
  }

  private void add(Set<String> names, String device) {
    deviceGauges(
        (metric, value) -> {
          String name = "gpusched.device." + device + "." + metric;
          if (names.add(name) && !registry.getGauges().containsKey(name)) {
            registry.register(
                name,
                (Gauge<Long>)
                    () -> {
                      DeviceLoad now = snapshot().devices().get(device);
                      return now == null ? 0 : value.applyAsLong(now);
                    });
          }
        });
  }

  private void add(String udf) {
    udfs.add(udf);
    udfGauge(udf, "rows", UdfLoad::rows);
    udfGauge(udf, "blocks", UdfLoad::blocks);
    udfGauge(udf, "stolenBlocks", UdfLoad::stolenBlocks);
    udfGauge(udf, "busyMillis", u -> millis(u.busyNanos()));
    udfGauge(udf, "transferMillis", u -> millis(u.transfers().nanos()));
    udfGauge(udf, "toDeviceBytes", u -> u.transfers().toDeviceBytes());
    udfGauge(udf, "fromDeviceBytes", u -> u.transfers().fromDeviceBytes());
    udfGauge(udf, "blockP50Micros", u -> u.times().quantileNanos(0.5) / 1000);
    udfGauge(udf, "blockP95Micros", u -> u.times().quantileNanos(0.95) / 1000);
    udfGauge(udf, "blockMaxMicros", u -> u.times().maxNanos() / 1000);
    String timer = "gpusched.udf." + part(udf) + ".blockTime";
    if (!registry.getTimers().containsKey(timer)) {
      UdfLoad none = UdfLoad.none(udf);
      registry.register(timer, new BlockTimer(() -> snapshot().udfs().getOrDefault(udf, none)));
    }
  }

  private void udfGauge(String udf, String metric, Function<UdfLoad, Long> value) {
    String name = "gpusched.udf." + part(udf) + "." + metric;
    if (registry.getGauges().containsKey(name)) {
      return; // two UDFs whose names differ in what a metric's may not have: the first has it
    }
    registry.register(
        name,
        (Gauge<Long>)
            () -> {
              UdfLoad now = snapshot().udfs().get(udf);
              return now == null ? 0 : value.apply(now);
            });
  }

  /** Takes an executor's metrics out; the sums still hold what it did. */
  synchronized void executorEnded(String executorId) {
    Set<String> names = namesByExecutor.remove(executorId);
    if (names != null) {
      names.forEach(registry::remove);
      devices -= (int) names.stream().filter(name -> name.endsWith(".rows")).count();
    }
  }
}
