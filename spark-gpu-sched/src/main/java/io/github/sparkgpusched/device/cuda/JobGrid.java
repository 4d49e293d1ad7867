package io.github.sparkgpusched.device.cuda;

import org.apache.spark.unsafe.Platform;

/**
 * What the blocks of threads of one launch share (grid.cuh): the kernel's parameter, its job, and
 * its queues, which begin as zeros. Where things are is relative to the begin of their block in
 * device memory, which is copied there as a whole. Immutable.
 *
 * @param settings how blocks share rows
 * @param blocks blocks of threads
 * @param rows of the job
 * @param queuesAt where queues, load table and cursor are
 * @param statusAt where the job and the mirror of the load table are
 */
record JobGrid(BlockSettings settings, int blocks, int rows, long queuesAt, long statusAt) {
  /** Bytes of {@code struct Grid}: the settings and six addresses. */
  static final int PARAMETER_BYTES = BlockSettings.BYTES + 6 * 8;

  /** Rows of a chunk: one a lane of a warp. More where a block would have very many. */
  private static final int LEAST_CHUNK_ROWS = 32;

  private static final int CHUNKS_PER_BLOCK = 256;

  /** Bytes of {@code struct Job}. */
  private static final int JOB_BYTES = 112;

  private static final int REMAINING_AT = 40;
  private static final int LEVEL_END_AT = 48;

  /** Bytes of {@code struct BlockMirror}. */
  private static final int MIRROR_BYTES = 32;

  static long queueBytes(BlockSettings settings, int blocks) {
    return StagedCall.aligned(8L * blocks * settings.queueCapacity() + 8L * blocks + 8);
  }

  static long statusBytes(int blocks) {
    return StagedCall.aligned(JOB_BYTES) + (long) MIRROR_BYTES * blocks;
  }

  int chunkRows() {
    long perChunk = rows / ((long) blocks * CHUNKS_PER_BLOCK);
    return (int) Math.max(LEAST_CHUNK_ROWS, Long.highestOneBit(Math.max(1, perChunk)));
  }

  private int chunks() {
    return (rows + chunkRows() - 1) / chunkRows();
  }

  /**
   * Writes queues and status.
   *
   * @param to the block in host memory
   * @param device the block on the device
   * @param columnsAt where the job's columns are
   */
  void fill(long to, long device, long columnsAt) {
    Platform.setMemory(null, to + queuesAt, queueBytes(settings, blocks), (byte) 0);
    Platform.setMemory(null, to + statusAt, statusBytes(blocks), (byte) 0);
    long job = to + statusAt;
    Platform.putLong(null, job, rows);
    Platform.putLong(null, job + 16, device + columnsAt);
    Platform.putInt(null, job + 32, chunkRows());
    Platform.putInt(null, job + 36, 1);
    Platform.putLong(null, job + REMAINING_AT, chunks());
    Platform.putInt(null, job + LEVEL_END_AT, chunks());
  }

  /** Writes the kernel's parameter. */
  void putParameter(long to, long device) {
    settings.put(to);
    long far = device + queuesAt;
    long table = far + 8L * blocks * settings.queueCapacity();
    long job = device + statusAt;
    Platform.putLong(null, to + BlockSettings.BYTES, far);
    Platform.putLong(null, to + BlockSettings.BYTES + 8, table);
    Platform.putLong(null, to + BlockSettings.BYTES + 16, job + StagedCall.aligned(JOB_BYTES));
    Platform.putLong(null, to + BlockSettings.BYTES + 24, job);
    Platform.putLong(null, to + BlockSettings.BYTES + 32, table + 8L * blocks);
    Platform.putLong(null, to + BlockSettings.BYTES + 40, 0);
  }

  /**
   * What the blocks counted.
   *
   * @param remainingChunks chunks that no block has computed
   * @param rows rows computed
   * @param steals tried
   * @param stealsWon those that got rows
   * @param offers rows that were given
   */
  record Counts(long remainingChunks, long rows, long steals, long stealsWon, long offers) {}

  /**
   * Reads what the blocks counted.
   *
   * @param status where the status is in host memory
   */
  Counts counts(long status) {
    long computed = 0;
    long steals = 0;
    long won = 0;
    long offers = 0;
    for (int i = 0; i < blocks; i++) {
      long entry = status + StagedCall.aligned(JOB_BYTES) + (long) MIRROR_BYTES * i;
      computed += Platform.getLong(null, entry + 8);
      steals += Platform.getInt(null, entry + 16);
      offers += Platform.getInt(null, entry + 20);
      won += Platform.getInt(null, entry + 24);
    }
    return new Counts(Platform.getLong(null, status + REMAINING_AT), computed, steals, won, offers);
  }
}
