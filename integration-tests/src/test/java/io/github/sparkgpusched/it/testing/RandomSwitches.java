package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.BatchChoice;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tasks that go from rows in place to batches and back at rows that are drawn by chance, and fill
 * some batches while the one before is computed.
 */
public final class RandomSwitches implements AutoCloseable {
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
