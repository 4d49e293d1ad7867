package io.github.sparkgpusched.config;

/** Keys of what the driver keeps and shows of the devices. */
public final class UiKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** Whether what devices do is shown beyond Spark's own pages. */
  public static final ConfigEntry<Boolean> ENABLED =
      KEYS.key("ui.enabled")
          .doc(
              "Whether executors report the load of their devices to the driver, for the UI tab, "
                  + "the event log, metrics and gpusched_load(). Accumulators and SQL metrics do not "
                  + "depend on it. A cuda_udf of Python runs on GPUs only with it: without reports "
                  + "the driver does not know of any.")
          .trueOrFalse()
          .defaultsTo(true)
          .atStart();

  /** Executors. */
  public static final ConfigEntry<Integer> RETAINED_ENDED_EXECUTORS =
      KEYS.key("ui.retainedEndedExecutors")
          .doc("How many ended executors the driver keeps the load of.")
          .intRange(0, 100000)
          .defaultsTo(100)
          .atStart();

  /** Spans of blocks. */
  public static final ConfigEntry<Integer> RETAINED_SPANS =
      KEYS.key("ui.retainedSpans")
          .doc(
              "How many spans of blocks the driver keeps for the timeline. A span is a run of "
                  + "blocks that a device computed right after one another for one task.")
          .intRange(0, 1000000)
          .defaultsTo(20000)
          .atStart();

  /** Stages. */
  public static final ConfigEntry<Integer> RETAINED_STAGES =
      KEYS.key("ui.retainedStages")
          .doc("How many stages the driver keeps the load of, and writes to the event log at most.")
          .intRange(1, 100000)
          .defaultsTo(1000)
          .atStart();

  /** Events. */
  public static final ConfigEntry<Integer> RETAINED_EVENTS =
      KEYS.key("ui.retainedEvents")
          .doc(
              "How many device events the driver keeps, and writes to the event log at most. "
                  + "Failures count for themselves, and so do quarantines.")
          .intRange(1, 100000)
          .defaultsTo(1000)
          .atStart();

  private UiKeys() {}
}
