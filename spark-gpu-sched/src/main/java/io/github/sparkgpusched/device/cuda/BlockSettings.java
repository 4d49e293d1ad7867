package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.config.CudaBlockKeys;
import java.util.List;
import java.util.Optional;
import org.apache.spark.unsafe.Platform;

/**
 * How the blocks of threads of a kernel share its rows: {@code spark.gpusched.cuda.block.*}.
 * Amounts are in chunks of rows. Immutable.
 *
 * @param strategy a name of {@link #STRATEGIES}, or {@link #AUTO}
 * @param form a name of {@link #FORMS}: how a function that is written in steps is computed
 * @param stealThreshold below it a block takes from others; at least 1
 * @param shareThreshold above it others may take from a block, or it offers; above the steal
 *     threshold
 * @param maxStealBatch most chunks that move at once; at least 1
 * @param neighbours blocks that a block looks at; 1 to 32
 * @param pollNanos between two looks, in nanoseconds; 1 to 1,000,000
 * @param queueCapacity ranges in a block's queue; a power of two, 2 to 1024
 */
record BlockSettings(
    String strategy,
    String form,
    int stealThreshold,
    int shareThreshold,
    int maxStealBatch,
    int neighbours,
    int pollNanos,
    int queueCapacity) {
  /** In the order of the kernels' own numbers. */
  public static final List<String> STRATEGIES =
      List.of("static", "counter", "stealing", "sharing", "hybrid");

  /** One of the strategies for each launch, by {@link ScheduleChoices}. */
  static final String AUTO = "auto";

  /** In the order of the kernels' own numbers. */
  public static final List<String> FORMS = List.of("steps", "rows");

  /** As the configuration has them by default. */
  public static final BlockSettings DEFAULT = new Builder().build();

  /** Bytes of {@code struct Settings} in base.cuh. */
  static final int BYTES = 32;

  /** By name, as most are numbers; begins with the configuration's defaults. */
  static final class Builder {
    String strategy = CudaBlockKeys.STRATEGY.defaultValue();
    String form = CudaBlockKeys.FORM.defaultValue();
    int stealThreshold = CudaBlockKeys.STEAL_THRESHOLD.defaultValue();
    int shareThreshold = CudaBlockKeys.SHARE_THRESHOLD.defaultValue();
    int maxStealBatch = CudaBlockKeys.MAX_STEAL_BATCH.defaultValue();
    int neighbours = CudaBlockKeys.NEIGHBOURS.defaultValue();
    int pollNanos = CudaBlockKeys.POLL_NANOS.defaultValue();
    int queueCapacity = CudaBlockKeys.QUEUE_CAPACITY.defaultValue();

    BlockSettings build() {
      return new BlockSettings(
          strategy,
          form,
          stealThreshold,
          shareThreshold,
          maxStealBatch,
          neighbours,
          pollNanos,
          queueCapacity);
    }
  }

  public BlockSettings {
    if (!isStrategy(strategy)) {
      throw new IllegalArgumentException(
          "spark.gpusched.cuda.block.strategy='"
              + strategy
              + "' is neither auto nor one of "
              + STRATEGIES);
    }
    if (!FORMS.contains(form)) {
      throw new IllegalArgumentException(
          "spark.gpusched.cuda.block.form='" + form + "' is not one of " + FORMS);
    }
    if (shareThreshold <= stealThreshold) {
      throw new IllegalArgumentException(
          "spark.gpusched.cuda.block.shareThreshold="
              + shareThreshold
              + " must be above spark.gpusched.cuda.block.stealThreshold="
              + stealThreshold);
    }
    if (Integer.bitCount(queueCapacity) != 1 || queueCapacity < 2 || queueCapacity > 1024) {
      throw new IllegalArgumentException(
          "spark.gpusched.cuda.block.queueCapacity="
              + queueCapacity
              + " must be a power of two from 2 to 1024");
    }
  }

  /** Why a UDF's strategy is none, or empty if it is one, or the UDF has none of its own. */
  static Optional<String> unsupported(GpuUdf udf) {
    return udf.blockStrategy()
        .filter(own -> !isStrategy(own))
        .map(
            own ->
                "its blockStrategy() is '"
                    + own
                    + "', which is neither auto nor one of "
                    + STRATEGIES);
  }

  private static boolean isStrategy(String name) {
    return name.equals(AUTO) || STRATEGIES.contains(name);
  }

  /** Whether its strategy is still to be chosen, launch by launch. */
  boolean isChosen() {
    return strategy.equals(AUTO);
  }

  /** The same where nobody chooses: a launch is not measured, or its kernel stays. */
  BlockSettings fixed() {
    return isChosen() ? with("stealing") : this;
  }

  /** The same for the kernels of a UDF, which may have a strategy of its own. */
  BlockSettings forUdf(GpuUdf udf) {
    return udf.blockStrategy().map(this::with).orElse(this);
  }

  /** The same with another strategy. */
  BlockSettings with(String other) {
    return with(other, form);
  }

  /** The same with another form. */
  BlockSettings inForm(String other) {
    return with(strategy, other);
  }

  private BlockSettings with(String otherStrategy, String otherForm) {
    Builder same = new Builder();
    same.strategy = otherStrategy;
    same.form = otherForm;
    same.stealThreshold = stealThreshold;
    same.shareThreshold = shareThreshold;
    same.maxStealBatch = maxStealBatch;
    same.neighbours = neighbours;
    same.pollNanos = pollNanos;
    same.queueCapacity = queueCapacity;
    return same.build();
  }

  /** The same for a kernel of several jobs: these can only be shared by queues. */
  BlockSettings forJobs() {
    boolean queues = List.of("stealing", "sharing", "hybrid").contains(strategy);
    return queues ? this : with("stealing");
  }

  /** Writes {@code struct Settings}, of a strategy that is chosen. */
  void put(long to) {
    int[] words = {
      STRATEGIES.indexOf(strategy),
      stealThreshold,
      shareThreshold,
      maxStealBatch,
      neighbours,
      pollNanos,
      queueCapacity,
      FORMS.indexOf(form)
    };
    for (int i = 0; i < words.length; i++) {
      Platform.putInt(null, to + 4L * i, words[i]);
    }
  }
}
