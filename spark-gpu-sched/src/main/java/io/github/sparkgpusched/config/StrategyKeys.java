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
          .oneOf(
              "adaptive",
              "static",
              "fixed",
              "units",
              "guided",
              "factoring",
              "trapezoid",
              "worksteal-deque",
              "tree",
              "tree-random",
              "tree-in-order",
              "tree-both-ends",
              "tree-timed")
          .defaultsTo("adaptive")
          .perQuery();

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_FIXED_ROWS =
      KEYS.key("strategy.fixedRows")
          .doc("How many rows a block of the strategy fixed has.")
          .longRange(1, 1L << 40)
          .defaultsTo(256)
          .atStart();

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_TREE_MAX_STEP_ROWS =
      KEYS.key("strategy.treeMaxStepRows")
          .doc("How many rows a block of the tree strategies has at most.")
          .longRange(1, 1L << 40)
          .defaultsTo(4096)
          .atStart();

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_DEQUE_GRAIN_ROWS =
      KEYS.key("strategy.dequeGrainRows")
          .doc("How many rows a block of the strategy worksteal-deque has at most.")
          .longRange(1, 1L << 40)
          .defaultsTo(64)
          .atStart();

  private StrategyKeys() {}
}
