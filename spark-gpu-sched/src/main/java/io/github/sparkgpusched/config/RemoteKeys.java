package io.github.sparkgpusched.config;

/** Keys of the rows that executors compute for each other. */
public final class RemoteKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** Whether they do. */
  public static final ConfigEntry<RemoteMode> REMOTE =
      KEYS.key("remote")
          .doc(
              "Whether an executor that has cores idle computes rows of another one's heavy "
                  + "partitions. auto: where that is expected to be faster. Off: no executor opens a "
                  + "port. In local mode, and where devices leaves out the cores, this means nothing.")
          .oneOf(RemoteMode.class)
          .defaultsTo(RemoteMode.AUTO)
          .atStart();

  /** Cores. */
  public static final ConfigEntry<Integer> REMOTE_CORES =
      KEYS.key("remote.cores")
          .doc("How many cores of other executors an executor uses at most at once.")
          .intRange(1, 256)
          .defaultsTo(128)
          .atStart();

  /** Bytes. */
  public static final ConfigEntry<Long> REMOTE_BLOCK_BYTES =
      KEYS.key("remote.blockBytes")
          .doc(
              "How many bytes of arguments an executor sends another one at once at most; of several "
                  + "rows no more than half a region of its garbage collector G1. A core that is "
                  + "lent holds two such blocks and their results, and 32 MB of large values, which "
                  + "are sent once a batch. A row that is larger stays.")
          .bytesRange("64k", "64m")
          .defaultsTo("1m")
          .atStart();

  /** Percent of an executor's cores. */
  public static final ConfigEntry<Integer> REMOTE_LENT_PERCENT =
      KEYS.key("remote.lentPercent")
          .doc(
              "How much of its cores an executor lends at once at most, in percent, rounded down. 0: it "
                  + "lends none, and may still use those of others.")
          .intRange(0, 100)
          .defaultsTo(100)
          .atStart();

  private RemoteKeys() {}
}
