package io.github.sparkgpusched.config;

/** Keys of queries, read for each query from its session. */
public final class QueryKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** Whether queries are changed at all. */
  public static final ConfigEntry<Boolean> ENABLED =
      KEYS.key("enabled")
          .doc(
              "Whether GPU UDFs are batched and balanced over the executor's devices. False leaves "
                  + "every plan as Spark made it.")
          .trueOrFalse()
          .defaultsTo(true)
          .perQuery();

  /** When rows are collected into batches. */
  public static final ConfigEntry<BatchingMode> BATCHING =
      KEYS.key("batching")
          .doc(
              "When the rows of a call are collected into batches, which several devices can share: "
                  + "when that is expected to be faster than to compute each row where it is, always, "
                  + "or never. What a row costs both ways is measured while the query runs. Batches "
                  + "that a scan gives are shared as they are, but for never.")
          .oneOf(BatchingMode.class)
          .defaultsTo(BatchingMode.AUTO)
          .perQuery();

  /** What is said about UDFs that are not batched. */
  public static final ConfigEntry<ExplainMode> EXPLAIN =
      KEYS.key("explain")
          .doc(
              "Which GPU UDFs of a plan the driver logs: none, those that stay row by row with the "
                  + "reason why, or all.")
          .oneOf(ExplainMode.class)
          .defaultsTo(ExplainMode.NOT_BATCHED)
          .perQuery();

  /** Rows. */
  public static final ConfigEntry<Integer> BATCH_ROWS =
      KEYS.key("batch.rows")
          .doc(
              "How many rows a batch should have. The last one has fewer, and so does one that "
                  + "reaches its memory limit; for each 8 cores that other executors lend, it "
                  + "may have as many once more, up to 8 times as many; where a launch "
                  + "device such as a GPU computes, it may have as many as fill that.")
          .intRange(1, 16777216)
          .defaultsTo(16384)
          .perQuery();

  /** Bytes. */
  public static final ConfigEntry<Long> BATCH_BYTES =
      KEYS.key("batch.bytes")
          .doc(
              "How much off-heap memory the arguments of a batch may take; its results may take as "
                  + "much again. A batch that reaches it has fewer rows.")
          .bytesRange("64k", "1g")
          .defaultsTo("64m")
          .perQuery();

  /** Who computes calls on a GPU that RAPIDS owns. */
  public static final ConfigEntry<RapidsMode> RAPIDS =
      KEYS.key("rapids")
          .doc(
              "Where the RAPIDS Accelerator executes queries, whether it is given the calls that have "
                  + "a CUDA function: it plans them itself, and they are computed on its columns where "
                  + "these lie in GPU memory. What it leaves on the CPU is batched. Off: all calls "
                  + "are batched. Without the Accelerator this means nothing.")
          .oneOf(RapidsMode.class)
          .defaultsTo(RapidsMode.AUTO)
          .perQuery();

  /** Steps; each doubles. */
  public static final ConfigEntry<Integer> PRIORITY =
      KEYS.key("priority")
          .doc(
              "How urgent a query is beside others on the same executors. Each step up doubles its "
                  + "part of the devices' time, each step down halves it; no query is kept from running. "
                  + "It counts beside the UDF's own priority and the weight of Spark's scheduling pool.")
          .intRange(-10, 10)
          .defaultsTo(0)
          .perQuery();

  private QueryKeys() {}
}
