package io.github.sparkgpusched.jobs;

import io.github.sparkgpusched.load.Work;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one run with the plugin counted.
 *
 * @param metrics the SQL metrics of the query's batched nodes, summed, by name
 * @param load what each device did, by {@code executor/device}
 */
record PluginRun(Map<String, Long> metrics, Map<String, Work> load) {
  long metric(String name) {
    return metrics.getOrDefault(name, 0L);
  }

  /** What came on top of an earlier reading of the load table. */
  static Map<String, Work> since(Map<String, Work> before, Map<String, Work> after) {
    Map<String, Work> change = new TreeMap<>();
    after.forEach(
        (device, now) -> {
          Work then = before.getOrDefault(device, new Work(0, 0, 0, 0));
          if (now.blocks() > then.blocks()) {
            change.put(
                device,
                new Work(
                    now.rows() - then.rows(),
                    now.blocks() - then.blocks(),
                    now.stolenBlocks() - then.stolenBlocks(),
                    now.busyNanos() - then.busyNanos()));
          }
        });
    return change;
  }

  void print(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "  batched node: %,d rows in %,d batches, %,d blocks, of which %,d stolen;"
            + " devices computed %.2f s, tasks waited %.2f s%n",
        metric("numOutputRows"),
        metric("numBatches"),
        metric("numBlocks"),
        metric("numStolenBlocks"),
        metric("deviceTime") / 1e9,
        metric("waitTime") / 1e9);
    out.printf("  %-16s %12s %9s %9s %9s%n", "load: device", "rows", "blocks", "stolen", "busy s");
    load.forEach(
        (device, work) ->
            out.printf(
                Locale.ROOT,
                "  %-16s %,12d %,9d %,9d %9.2f%n",
                device,
                work.rows(),
                work.blocks(),
                work.stolenBlocks(),
                work.busyNanos() / 1e9));
  }
}
