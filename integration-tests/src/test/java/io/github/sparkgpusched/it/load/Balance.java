package io.github.sparkgpusched.it.load;

import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.util.function.Predicate;
import org.apache.spark.sql.SparkSession;

/** What devices computed is what successful tasks got and what was in vain, and nothing else. */
final class Balance {
  private Balance() {}

  static LoadView view() {
    return DriverRuntime.current()
        .orElseThrow()
        .load()
        .view(System.nanoTime(), System.currentTimeMillis());
  }

  /** What successful tasks got. */
  static long accumulated(SparkSession spark) {
    return LoadAccumulator.of(spark.sparkContext()).value().values().stream()
        .mapToLong(Work::rows)
        .sum();
  }

  /** Waits until it holds: executors report some time after their tasks have ended. */
  static void await(SparkSession spark) {
    await(spark, view -> true);
  }

  static void await(SparkSession spark, Predicate<LoadView> besides) {
    Waiting.until(
        () -> "total " + view().total() + ", wasted " + view().wasted() + ", " + accumulated(spark),
        () -> {
          LoadView view = view();
          return besides.test(view)
              && view.total().rows() == accumulated(spark) + view.wasted().rows();
        });
  }
}
