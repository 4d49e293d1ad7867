package io.github.sparkgpusched.plugin;

import com.codahale.metrics.MetricRegistry;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.load.UdfLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An executor's load as Dropwizard metrics: gauges of each device, and a timer of the blocks of
 * each UDF. UDFs are as of the last report to the driver, and as many as the load table tells
 * apart. Thread-safe.
 */
final class ExecutorMetrics {
  private final MetricRegistry registry;

  /** In the order of the table. Used by the constructor, then by the reporter's thread. */
  private final List<MeasureGauges<DeviceLoad>> devices = new ArrayList<>();

  /** The last report's, by name. Written by the reporter's thread, read by sinks. */
  private final Map<String, UdfLoad> udfs = new ConcurrentHashMap<>();

  ExecutorMetrics(MetricRegistry registry, LoadTable table) {
    this.registry = registry;
    for (int i = 0; i < table.size(); i++) {
      LoadEntry entry = table.entry(i);
      devices.add(
          MeasureGauges.ofDevice(
              registry, "gpusched.executor." + LoadMetrics.part(entry.device()), entry::snapshot));
      devices.get(i).add(entry.snapshot());
    }
  }

  /**
   * A report is about to be sent; adds a timer for each UDF that it is the first to name, and
   * gauges of what devices did not measure before.
   */
  void reported(ExecutorLoad report) {
    for (int i = 0; i < Math.min(devices.size(), report.devices().size()); i++) {
      devices.get(i).add(report.devices().get(i));
    }
    for (UdfLoad load : report.udfs()) {
      String udf = load.udf();
      if (udfs.put(udf, load) == null) {
        String name = "gpusched.executor.udf." + LoadMetrics.part(udf) + ".blockTime";
        if (!registry.getTimers().containsKey(name)) {
          registry.register(name, new BlockTimer(() -> udfs.get(udf)));
        }
      }
    }
  }
}
