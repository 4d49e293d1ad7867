package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.it.campaign.CampaignLanes;
import io.github.sparkgpusched.it.campaign.CampaignSpark;
import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * A session of a local Spark with the plugin that runs {@link HostileCase}s, with the plugin and
 * without. One thread's.
 */
final class HostileSession {
  /** Numbers of runs. */
  private static final AtomicLong NEXT = new AtomicLong();

  private final SparkSession spark;

  /**
   * What a query gave: its rows as sorted texts, or why it failed.
   *
   * @param condition of Spark's error
   * @param failure the last cause; null if there is none
   * @param calls of the function
   * @param strikes how often it did its mischief
   * @param batches that were computed, if it gave rows
   */
  record Outcome(
      List<String> rows,
      String condition,
      Throwable failure,
      long calls,
      long strikes,
      long batches) {
    boolean isSame(Outcome other, Mischief mischief) {
      // Whose flag is set, and what comes next that looks at it, is nobody's promise.
      if (mischief == Mischief.INTERRUPTS_ITSELF && (isInterrupted() || other.isInterrupted())) {
        return (failure == null || isInterrupted())
            && (other.failure == null || other.isInterrupted());
      }
      if (failure == null || other.failure == null) {
        boolean counted = mischief == Mischief.COUNTS_IN_A_STATIC;
        return failure == other.failure
            && rows.equals(other.rows)
            && (!counted || calls == other.calls);
      }
      return String.valueOf(condition).equals(String.valueOf(other.condition))
          && (mischief.failsWithAnyWords() || firstLine(failure).equals(firstLine(other.failure)));
    }

    private boolean isInterrupted() {
      return failure instanceof InterruptedException
          || failure instanceof ClosedByInterruptException;
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

  private HostileSession(SparkSession spark) {
    this.spark = spark;
  }

  /** Starts Spark. */
  static CampaignLanes<HostileSession> open(int lanes) {
    SparkSession.Builder builder =
        CampaignSpark.session("local[" + Math.max(2, lanes) + "]", "hostile functions")
            .config("spark.sql.shuffle.partitions", "2")
            // Of an error that Spark takes for fatal the JVM ends, with the plugin or without.
            .config("spark.executor.killOnFatalError.depth", "0");
    return new CampaignLanes<>(builder, lanes, (spark, lane) -> new HostileSession(spark));
  }

  Outcome plain(HostileCase one) {
    return outcome(one, "false");
  }

  Outcome batched(HostileCase one) {
    return outcome(one, "true");
  }

  private Outcome outcome(HostileCase one, String enabled) {
    one.settings().forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.gpusched.enabled", enabled);
    RandomSwitches.ask(spark, one.switches() ? one.number() : null);
    long run = NEXT.incrementAndGet();
    Hostile.Counts counts = new Hostile.Counts();
    Hostile.RUNS.put(run, counts);
    try {
      register(one, run);
      Dataset<Row> query = spark.sql(one.query());
      List<String> rows = Bits.of(query.collectAsList()).stream().sorted().toList();
      return ended(rows, null, null, counts, BatchedNodes.batches(query));
    } catch (Exception | Error e) {
      Throwable last = e;
      while (last.getCause() != null) {
        last = last.getCause();
      }
      String condition = e instanceof SparkThrowable known ? known.getCondition() : null;
      return ended(List.of(), condition, last, counts, 0);
    } finally {
      Hostile.RUNS.remove(run);
      Thread.interrupted();
    }
  }

  private static Outcome ended(
      List<String> rows, String condition, Throwable failure, Hostile.Counts counts, long batches) {
    return new Outcome(rows, condition, failure, counts.calls.sum(), counts.strikes.sum(), batches);
  }

  private void register(HostileCase one, long run) {
    if (one.mischief() == Mischief.CHANGES_ITS_ARGUMENT) {
      spark.udf().register("h", new Hostile.OfBytes(run), DataTypes.BinaryType);
      return;
    }
    Hostile udf = new Hostile(one.mischief(), one.at(), run);
    if (one.mischief() == Mischief.IS_NOT_DETERMINISTIC) {
      spark.udf().register("h", functions.udf(udf, DataTypes.LongType).asNondeterministic());
    } else {
      spark.udf().register("h", udf, DataTypes.LongType);
    }
  }

  /** Whether a query after it has its answer. */
  boolean livesOn() {
    spark.conf().set("spark.gpusched.enabled", "true");
    spark.udf().register("next", new Hostile(Mischief.LOCKS, 0, 0), DataTypes.LongType);
    return spark
            .sql("select sum(next(id)) from range(0, 300, 1, 2)")
            .collectAsList()
            .get(0)
            .getLong(0)
        == 300L * 301 / 2;
  }
}
