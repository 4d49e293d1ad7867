package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.Work;

/** A made-up application of 500 executors of 8 devices and 10,000 stages. */
final class LargeApplication {
  static final int EXECUTORS = 500;
  static final int STAGES = 10_000;
  private static final int DEVICES = 8;
  private static final int COLLECTIONS = 5;

  private LargeApplication() {}

  /** All executors report. */
  static void report(ApplicationLoad load, long sequence, long timeMillis, long nowNanos) {
    for (int e = 0; e < EXECUTORS; e++) {
      load.update(Reports.full("" + e, sequence, timeMillis, DEVICES), nowNanos);
    }
  }

  /** More executors come and go: as many as from one number to another. */
  static void comeAndGo(ApplicationLoad load, int from, int until, long timeMillis) {
    for (int e = from; e < until; e++) {
      load.update(Reports.full("" + e, 0, timeMillis, DEVICES), 0);
      load.executorEnded("" + e, 0);
    }
  }

  /** Its stages begin and end, with an event each, and a call each that stays row by row. */
  static void runStages(ApplicationLoad load, long timeMillis) {
    for (int stage = 0; stage < STAGES; stage++) {
      load.stageBegun(stage, 0, "collect at Main.java:" + stage, 4);
      for (int d = 0; d < 20; d++) {
        load.addStageWork(stage, 0, "1/host:" + d, new Work(5, 1, 0, 5));
      }
      for (int partition = 0; partition < 4; partition++) {
        // Spark's events each have a text of their own.
        load.addStageTask(
            stage, 0, String.valueOf(partition).concat("0"), partition, new Work(5, 0, 0, 5));
      }
      load.stageEnded(stage, 0, null);
      load.addEvent(new DeviceEvent(timeMillis, "1", "host:0", "failure", "detail " + stage));
      load.addFallback("udf" + stage, "it stands in a lambda");
    }
  }

  /** Of this JVM's heap, without garbage. */
  static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
