package io.github.sparkgpusched.it.cluster.app;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.spark.sql.SparkSession;

/** Brings faults into queries, at times that a seed decides. One thread uses it. */
final class Injector {
  /** A fault comes so long after rows have travelled, at most. */
  private static final int MOST_MILLIS = 800;

  /** What a lender that does not answer is given, in milliseconds: 20 s, and more than it takes. */
  private static final int PATIENCE_MILLIS = 21_000;

  private final SparkSession spark;
  private final Watch watch;
  private final ExecutorProcesses processes;
  private final Map<String, Long> borrowed = new HashMap<>();

  /** When the last fault is over. */
  private long overNanos = System.nanoTime();

  Injector(SparkSession spark, Watch watch) {
    this.spark = spark;
    this.watch = watch;
    this.processes = new ExecutorProcesses(spark.sparkContext().applicationId());
  }

  /** Rows that were computed for other executors so far, as these have reported. */
  long borrowedRows() {
    LoadFigures.view().devices().stream()
        .filter(device -> device.load().borrowed())
        .forEach(
            device ->
                borrowed.put(
                    device.executorId() + "/" + device.load().device(), device.load().rows()));
    return borrowed.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Waits until the last fault is over and there are executors enough for another. */
  void awaitCalm() throws InterruptedException {
    while (System.nanoTime() - overNanos < 0 || ExecutorProcesses.alive(spark).size() < 2) {
      Thread.sleep(20);
    }
  }

  /**
   * Brings a fault into a query that has begun.
   *
   * @param before rows that had been borrowed before
   * @return whether it came before the query ended
   */
  boolean inject(Fault fault, SplittableRandom random, Future<?> query, long before)
      throws InterruptedException, IOException {
    // One in four comes at any time, be it as the two find each other.
    boolean onceLent = random.nextInt(4) > 0;
    int delay = random.nextInt(MOST_MILLIS);
    while (!query.isDone() && (watch.owner() == null || (onceLent && borrowedRows() <= before))) {
      Thread.sleep(20);
    }
    for (long end = System.nanoTime() + delay * 1_000_000L;
        !query.isDone() && System.nanoTime() - end < 0; ) {
      Thread.sleep(5);
    }
    if (query.isDone()) {
      return false;
    }
    String owner = watch.owner();
    String lender = lender(owner, random);
    return lender != null && inject(fault, random, owner, lender);
  }

  /** Who lends to it; anybody, if nobody has; null if there is nobody. */
  private String lender(String owner, SplittableRandom random) throws IOException {
    List<String> others = new ArrayList<>(ExecutorProcesses.alive(spark));
    others.remove(owner);
    List<String> lenders = new ArrayList<>(processes.lenders(owner));
    lenders.retainAll(others);
    List<String> from = lenders.isEmpty() ? others : lenders;
    return from.isEmpty() ? null : from.get(random.nextInt(from.size()));
  }

  private boolean inject(Fault fault, SplittableRandom random, String owner, String lender)
      throws IOException {
    int brief = 100 + random.nextInt(2_900);
    int millis = random.nextInt(10) == 0 ? PATIENCE_MILLIS + random.nextInt(4_000) : brief;
    Proxy proxy = ProxiedPlugin.before(lender);
    switch (fault) {
      case LENDER_KILLED -> {
        return processes.kill(lender);
      }
      case OWNER_KILLED -> {
        return processes.kill(owner);
      }
      case LENDER_STOPPED -> {
        lasts(millis);
        return processes.stop(lender, millis);
      }
      case DRIVER_STOPPED -> {
        lasts(brief);
        ExecutorProcesses.stop(ProcessHandle.current().pid(), brief);
        return true;
      }
      case CONNECTION_CUT -> {
        if (proxy == null) {
          return false;
        }
        proxy.cut(random.nextBoolean());
        return true;
      }
      case CONNECTION_SLOW -> {
        if (proxy == null) {
          return false;
        }
        lasts(millis);
        if (millis > brief || random.nextBoolean()) {
          proxy.stall(millis);
        } else {
          proxy.slow(1 + random.nextInt(200), millis);
        }
        return true;
      }
    }
    throw new IllegalArgumentException(fault.text());
  }

  private void lasts(long millis) {
    overNanos = System.nanoTime() + millis * 1_000_000;
  }
}
