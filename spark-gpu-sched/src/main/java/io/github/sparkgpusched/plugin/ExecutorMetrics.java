package io.github.sparkgpusched.plugin;

import com.codahale.metrics.MetricRegistry;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.load.UdfLoad;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An executor's load as Dropwizard metrics: gauges of each device, and a timer of the blocks of
 * each UDF. UDFs are as of the last report to the driver, and as many as the load table tells
 * apart. Thread-safe.
 */
final class ExecutorMetrics {
  private final MetricRegistry registry;

  /** The last report's, by name. Written by the reporter's thread, read by sinks. */
  private final Map<String, UdfLoad> udfs = new ConcurrentHashMap<>();

  ExecutorMetrics(MetricRegistry registry, LoadTable table) {
    this.registry = registry;
    LoadMetrics.ofExecutor(registry, table);
  }

  /** A report is about to be sent; adds a timer for each UDF that it is the first to name. */
  void reported(ExecutorLoad report) {
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
