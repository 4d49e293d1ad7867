package io.github.sparkgpusched.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.load.DeviceMeasures;
import io.github.sparkgpusched.load.Measure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The gauges of a device or a UDF: one for each measure that it has been seen to have. Not
 * thread-safe; the gauges themselves are read by sinks.
 *
 * @param <T> what the measures are of
 */
final class MeasureGauges<T> {
  private final MetricRegistry registry;
  private final String prefix;
  private final Supplier<T> now;
  private final List<String> names = new ArrayList<>();

  /** Those without a gauge yet. */
  private final Set<Measure<T>> missing;

  /**
   * No gauges yet.
   *
   * @param prefix of their names
   * @param now what is to be measured when a sink reads; null for nothing
   */
  MeasureGauges(
      MetricRegistry registry, String prefix, List<Measure<T>> measures, Supplier<T> now) {
    this.registry = registry;
    this.prefix = prefix;
    this.now = now;
    this.missing = new HashSet<>(measures);
  }

  /** The gauges of a device, with one more: 1 if it takes work, else 0. */
  static MeasureGauges<DeviceLoad> ofDevice(
      MetricRegistry registry, String prefix, Supplier<DeviceLoad> now) {
    MeasureGauges<DeviceLoad> gauges =
        new MeasureGauges<>(registry, prefix, DeviceMeasures.ALL, now);
    gauges.register(
        "active",
        () -> {
          DeviceLoad device = now.get();
          return device != null && device.state() == DeviceState.ACTIVE ? 1L : 0L;
        });
    return gauges;
  }

  /** Adds the gauges of what is measured here for the first time. */
  void add(T seen) {
    if (missing.isEmpty()) {
      return;
    }
    List<Measure<T>> found =
        missing.stream().filter(measure -> measure.kept(seen) != null).toList();
    for (Measure<T> measure : found) {
      missing.remove(measure);
      register(
          measure.name(),
          () -> {
            T current = now.get();
            Long told = current == null ? null : measure.told(current);
            return told == null ? 0 : told;
          });
    }
  }

  /** Of two names that differ in what a metric's may not have, the first has the gauge. */
  private void register(String measure, Gauge<Long> gauge) {
    String name = prefix + "." + measure;
    if (!registry.getMetrics().containsKey(name)) {
      registry.register(name, gauge);
      names.add(name);
    }
  }

  /** Takes these gauges out. */
  void remove() {
    names.forEach(registry::remove);
    names.clear();
  }
}
