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
  private final LoadTable table;

  /**
   * In the order of the table's snapshots. Used by the constructor, then by the reporter's thread.
   */
  private final List<MeasureGauges<DeviceLoad>> devices = new ArrayList<>();

  /** The last report's, by name. Written by the reporter's thread, read by sinks. */
  private final Map<String, UdfLoad> udfs = new ConcurrentHashMap<>();

  ExecutorMetrics(MetricRegistry registry, LoadTable table) {
    this.registry = registry;
    this.table = table;
    add(table.snapshot());
  }

  private void add(List<DeviceLoad> loads) {
    List<LoadEntry> entries = table.told();
    for (int i = 0; i < loads.size(); i++) {
      if (i == devices.size()) {
        LoadEntry entry = entries.get(i);
        String name = "gpusched.executor." + LoadMetrics.part(entry.device());
        devices.add(MeasureGauges.ofDevice(registry, name, entry::snapshot));
      }
      devices.get(i).add(loads.get(i));
    }
  }

  /**
   * A report is about to be sent; adds a timer for each UDF that it is the first to name, and
   * gauges of what devices did not measure before.
   */
  void reported(ExecutorLoad report) {
    add(report.devices());
    for (UdfLoad load : report.udfs()) {
      String udf = load.udf();
      if (udfs.put(udf, load) == null) {
        String name = "gpusched.executor.udf." + LoadMetrics.part(udf) + ".blockTime";
        if (!registry.getMetrics().containsKey(name)) {
          registry.register(name, new BlockTimer(() -> udfs.get(udf)));
        }
      }
    }
  }
}
