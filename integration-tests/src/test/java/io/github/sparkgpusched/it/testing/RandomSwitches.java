package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.BatchChoice;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;

/**
 * Tasks that go from rows in place to batches and back at rows that are drawn by chance, and fill
 * some batches while the one before is computed.
 */
public final class RandomSwitches implements AutoCloseable {
  /** The local property of Spark's by which a job asks for switches: the seed of its tasks. */
  private static final String ASKED = "campaign.switches";

  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final ExecutorRuntime runtime = ExecutorRuntime.current();
  private final BatchChoice.Maker before;

  /**
   * From now on, until closed, in this JVM's executor.
   *
   * @param longest rows in place, and in a batch
   */
  public RandomSwitches(long seed, int longest) {
    this(seed, longest, false);
  }

  private RandomSwitches(long seed, int longest, boolean fixed) {
    AtomicLong tasks = new AtomicLong(seed);
    before = runtime.batchChoices();
    runtime.setBatchChoices(
        (setting, prices, task) ->
            new Choice(new SplittableRandom(tasks.incrementAndGet()), longest, fixed));
  }

  private RandomSwitches(int longest) {
    before = runtime.batchChoices();
    runtime.setBatchChoices(
        (setting, prices, task) -> {
          String seed = TaskContext.get().getLocalProperty(ASKED);
          return seed == null
              ? before.make(setting, prices, task)
              : new Choice(new SplittableRandom(Long.parseLong(seed) * 31 + task), longest, false);
        });
  }

  /** For jobs that ask for it by {@link #ask}; others beside them decide as they would. */
  public static RandomSwitches whereAsked(int longest) {
    return new RandomSwitches(longest);
  }

  /**
   * The next jobs of the calling thread ask for switches, or do not.
   *
   * @param seed of their tasks; null if they are to decide as they would
   */
  public static void ask(SparkSession spark, Long seed) {
    spark.sparkContext().setLocalProperty(ASKED, seed == null ? null : String.valueOf(seed));
  }

  /** All rows in batches of as many, each filled while the one before is computed. */
  public static RandomSwitches none(int batchRows) {
    return new RandomSwitches(0, batchRows, true);
  }

  /** Batches that such tasks have computed. */
  public long batches() {
    return batches.get();
  }

  /** Stretches of rows that they have computed in place. */
  public long stretches() {
    return looks.get();
  }

  @Override
  public void close() {
    runtime.setBatchChoices(before);
  }

  private final class Choice implements BatchChoice {
    private final SplittableRandom random;
    private final int longest;
    private final boolean fixed;
    private boolean batching;
    private int rows;

    Choice(SplittableRandom random, int longest, boolean fixed) {
      this.random = random;
      this.longest = longest;
      this.fixed = fixed;
      draw();
    }

    private void draw() {
      batching = fixed || random.nextBoolean();
      rows = fixed ? longest - 1 : random.nextInt(longest);
    }

    @Override
    public boolean isBatching() {
      return batching;
    }

    @Override
    public int rowsToLook() {
      return rows;
    }

    @Override
    public void look(long rowsBefore) {
      looks.incrementAndGet();
      draw();
    }

    @Override
    public void timed(long nanos) {}

    @Override
    public int batchRows() {
      return rows + 1;
    }

    @Override
    public boolean overlaps(boolean shared) {
      return fixed || random.nextBoolean();
    }

    @Override
    public void batchDone(int done, long wallNanos, long coreRows, long coreNanos) {
      batches.incrementAndGet();
      draw();
    }
  }
}
