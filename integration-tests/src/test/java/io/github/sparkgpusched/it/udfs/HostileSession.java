package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.it.campaign.CampaignSpark;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import java.util.List;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** A local Spark with the plugin that runs {@link HostileCase}s, with it and without. */
final class HostileSession implements AutoCloseable {
  private final SparkSession spark;

  /**
   * What a query gave: its rows as sorted texts, or why it failed.
   *
   * @param condition of Spark's error
   * @param failure the last cause; null if there is none
   * @param calls of the function
   * @param strikes how often it did its mischief
   */
  record Outcome(List<String> rows, String condition, Throwable failure, long calls, long strikes) {
    boolean isSame(Outcome other, Mischief mischief) {
      if (failure == null || other.failure == null) {
        boolean counted = mischief == Mischief.COUNTS_IN_A_STATIC;
        return failure == other.failure
            && rows.equals(other.rows)
            && (!counted || calls == other.calls);
      }
      return String.valueOf(condition).equals(String.valueOf(other.condition))
          && (mischief.failsWithAnyWords() || firstLine(failure).equals(firstLine(other.failure)));
    }

    /** Behind it Spark says what it was writing, which has another form. */
    private static String firstLine(Throwable failure) {
      return failure.toString().lines().findFirst().orElse("");
    }

    @Override
    public String toString() {
      return failure == null
          ? rows.size() + " rows by " + calls + " calls"
          : condition + ", " + firstLine(failure);
    }
  }

  HostileSession() {
    spark =
        CampaignSpark.session("local[2]", "hostile functions")
            .config("spark.sql.shuffle.partitions", "2")
            // Of an error that Spark takes for fatal the JVM ends, with the plugin or without.
            .config("spark.executor.killOnFatalError.depth", "0")
            .getOrCreate();
  }

  /** From now on Spark does not log each failure with its stack trace; for the rest of the JVM. */
  void beQuiet() {
    spark.sparkContext().setLogLevel("OFF");
  }

  Outcome plain(HostileCase one) {
    return outcome(one, "false");
  }

  Outcome batched(HostileCase one) {
    Outcome outcome = outcome(one, "true");
    CampaignSpark.awaitIdle();
    return outcome;
  }

  private Outcome outcome(HostileCase one, String enabled) {
    one.settings().forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.gpusched.enabled", enabled);
    RandomSwitches switches = one.switches() ? new RandomSwitches(one.number(), 30) : null;
    Hostile.CALLS.set(0);
    Hostile.STRIKES.set(0);
    try {
      register(one);
      List<String> rows =
          Bits.of(spark.sql(one.query()).collectAsList()).stream().sorted().toList();
      return new Outcome(rows, null, null, Hostile.CALLS.get(), Hostile.STRIKES.get());
    } catch (Exception | Error e) {
      Throwable last = e;
      while (last.getCause() != null) {
        last = last.getCause();
      }
      String condition = e instanceof SparkThrowable known ? known.getCondition() : null;
      return new Outcome(List.of(), condition, last, Hostile.CALLS.get(), Hostile.STRIKES.get());
    } finally {
      if (switches != null) {
        switches.close();
      }
      Thread.interrupted();
    }
  }

  private void register(HostileCase one) {
    if (one.mischief() == Mischief.CHANGES_ITS_ARGUMENT) {
      spark.udf().register("h", new Hostile.OfBytes(), DataTypes.BinaryType);
      return;
    }
    Hostile udf = new Hostile(one.mischief(), one.at());
    if (one.mischief() == Mischief.IS_NOT_DETERMINISTIC) {
      spark.udf().register("h", functions.udf(udf, DataTypes.LongType).asNondeterministic());
    } else {
      spark.udf().register("h", udf, DataTypes.LongType);
    }
  }

  /** Whether a query after it has its answer. */
  boolean livesOn() {
    spark.conf().set("spark.gpusched.enabled", "true");
    spark.udf().register("next", new Hostile(Mischief.LOCKS, 0), DataTypes.LongType);
    return spark
            .sql("select sum(next(id)) from range(0, 300, 1, 2)")
            .collectAsList()
            .get(0)
            .getLong(0)
        == 300L * 301 / 2;
  }

  @Override
  public void close() {
    CampaignSpark.end();
  }
}
