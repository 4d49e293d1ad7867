package io.github.sparkgpusched.config;

/** Keys of how the rows of a batch are divided into blocks and dealt to devices. */
public final class StrategyKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** Microseconds. */
  public static final ConfigEntry<Long> BLOCK_TARGET_MICROS =
      KEYS.key("block.targetMicros")
          .doc(
              "How long a device should take for one block of rows, in microseconds. Shorter blocks "
                  + "balance better and cost more scheduling.")
          .longRange(1, 1000000)
          .defaultsTo(100)
          .atStart();

  /** How the rows of a batch are dealt to devices. */
  public static final ConfigEntry<String> STRATEGY =
      KEYS.key("strategy")
          .doc(
              "How the rows of a batch are dealt to the executor's devices. All but adaptive are "
                  + "there for comparison; see scheduling.md.")
          .oneOf("adaptive", "static", "fixed", "tree")
          .noLonger(
              "that was a rival for comparison, which only the benchmarks have now",
              "units",
              "guided",
              "factoring",
              "trapezoid",
              "worksteal-deque",
              "tree-random",
              "tree-in-order",
              "tree-both-ends")
          .noLonger("it is called tree now", "tree-timed")
          .defaultsTo("adaptive")
          .perQuery();

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_FIXED_ROWS =
      KEYS.key("strategy.fixedRows")
          .doc("How many rows a block of the strategy fixed has.")
          .longRange(1, 1L << 40)
          .defaultsTo(256)
          .atStart();

  static {
    KEYS.removed(
        "strategy.treeMaxStepRows", "the trees that it was for are only in the benchmarks now");
    KEYS.removed(
        "strategy.dequeGrainRows",
        "worksteal-deque, which it was for, is only in the benchmarks now");
  }

  private StrategyKeys() {}
}
