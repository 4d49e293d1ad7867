package io.github.sparkgpusched.config;

/** Keys of how the thread blocks of a CUDA kernel share its rows. Amounts are in chunks of rows. */
public final class CudaBlockKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** How the thread blocks of a GPU share rows. */
  public static final ConfigEntry<String> STRATEGY =
      KEYS.key("cuda.block.strategy")
          .formerly("block.strategy")
          .doc(
              "How the thread blocks of a GPU share the rows of a launch; see cuda/README.md. With"
                  + " auto, the first launches of each function on each GPU try stealing, static"
                  + " and counter, and the others have what took least for a row. Launches of fewer"
                  + " than 4096 rows are no trials; those of several functions at once have"
                  + " stealing.")
          .oneOf("static", "counter", "stealing", "sharing", "hybrid", "auto")
          .defaultsTo("auto")
          .atStart();

  /** How warps compute functions that are written in steps. */
  public static final ConfigEntry<String> FORM =
      KEYS.key("cuda.block.form")
          .doc(
              "How the threads of a GPU compute a function that is written in steps: as steps, so"
                  + " that a thread whose row has ended goes on with the next one, or as rows, so"
                  + " that it waits for the 31 others of its warp. Other functions are computed as"
                  + " rows.")
          .oneOf("steps", "rows")
          .defaultsTo("steps")
          .atStart();

  /** Chunks of rows. */
  public static final ConfigEntry<Integer> STEAL_THRESHOLD =
      KEYS.key("cuda.block.stealThreshold")
          .formerly("block.stealThreshold")
          .doc("A thread block with fewer chunks of rows than this takes from others.")
          .intRange(1, 1 << 20)
          .defaultsTo(4)
          .atStart();

  /** Chunks of rows. */
  public static final ConfigEntry<Integer> SHARE_THRESHOLD =
      KEYS.key("cuda.block.shareThreshold")
          .formerly("block.shareThreshold")
          .doc(
              "A thread block with more chunks of rows than this offers some, or lets others take "
                  + "them.")
          .intRangeAbove(2, 1 << 20, STEAL_THRESHOLD)
          .defaultsTo(64)
          .atStart();

  /** Chunks of rows. */
  public static final ConfigEntry<Integer> MAX_STEAL_BATCH =
      KEYS.key("cuda.block.maxStealBatch")
          .formerly("block.maxStealBatch")
          .doc("How many chunks of rows move between two thread blocks at most.")
          .intRange(1, 1 << 20)
          .defaultsTo(16)
          .atStart();

  /** Thread blocks. */
  public static final ConfigEntry<Integer> NEIGHBOURS =
      KEYS.key("cuda.block.neighbours")
          .formerly("block.neighbours")
          .doc("How many other thread blocks one looks at, at a time.")
          .intRange(1, 32)
          .defaultsTo(32)
          .atStart();

  /** Nanoseconds. */
  public static final ConfigEntry<Integer> POLL_NANOS =
      KEYS.key("cuda.block.pollNanos")
          .formerly("block.pollNanos")
          .doc("How long a thread block waits between two looks at others, in nanoseconds.")
          .intRange(1, 1000000)
          .defaultsTo(500)
          .atStart();

  /** Ranges. */
  public static final ConfigEntry<Integer> QUEUE_CAPACITY =
      KEYS.key("cuda.block.queueCapacity")
          .formerly("block.queueCapacity")
          .doc("How many ranges of rows the queue of a thread block holds in device memory.")
          .powerOfTwo(2, 1024)
          .defaultsTo(32)
          .atStart();

  private CudaBlockKeys() {}
}
