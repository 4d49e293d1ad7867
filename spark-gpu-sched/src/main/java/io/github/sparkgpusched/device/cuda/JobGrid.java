package io.github.sparkgpusched.device.cuda;

import org.apache.spark.unsafe.Platform;

/**
 * What the blocks of threads of one launch share (grid.cuh): the kernel's parameter, its job, its
 * queues, which begin as zeros, and the table of what its blocks count. Immutable.
 *
 * @param settings how blocks share rows
 * @param blocks blocks of threads
 * @param rows of the job
 * @param queuesAt where queues, load table, cursor and the count of jobs that have ended are, from
 *     the begin of all queues
 * @param statusAt where the job is, from the begin of the block in device memory
 * @param tableAt where its part of the table is, from the table's begin
 */
record JobGrid(
    BlockSettings settings, int blocks, int rows, long queuesAt, long statusAt, long tableAt) {
  /** Bytes of {@code struct Grid}: the settings, seven addresses, and how many jobs there are. */
  static final int PARAMETER_BYTES = BlockSettings.BYTES + 7 * 8 + 8;

  /** Rows of a chunk: one a lane of a warp. More where a block would have very many. */
  private static final int LEAST_CHUNK_ROWS = 32;

  private static final int CHUNKS_PER_BLOCK = 256;

  /** Warps of a block of threads: all of them compute. */
  private static final int WARPS = KernelSource.BLOCK_THREADS / LEAST_CHUNK_ROWS;

  /** Bytes of {@code struct Job}. */
  static final int JOB_BYTES = 48;

  private static final int REMAINING_AT = 40;

  /** Bytes of {@code struct BlockMirror}, and offsets in it. */
  private static final int MIRROR_BYTES = 32;

  static final int QUEUED_AT = 0;
  static final int CAPACITY_AT = 4;
  static final int ROWS_AT = 8;
  static final int STEALS_AT = 16;
  static final int OFFERS_AT = 20;
  static final int STEALS_WON_AT = 24;

  static long queueBytes(BlockSettings settings, int blocks) {
    return StagedCall.aligned(8L * blocks * settings.queueCapacity() + 8L * blocks + 2 * 8);
  }

  static long tableBytes(int blocks) {
    return (long) MIRROR_BYTES * blocks;
  }

  /**
   * Blocks of threads that fill the device: one on each multiprocessor as soon as there are chunks
   * for them, and so many that each warp has a chunk at once.
   */
  static int blocksFor(int rows, int multiprocessors) {
    int chunks = ceil(rows, LEAST_CHUNK_ROWS);
    int full = ceil(chunks, WARPS);
    return Math.max(1, Math.max(full, Math.min(multiprocessors, chunks)));
  }

  /** Rows that so many blocks of threads compute at once. */
  static long rowsAtOnce(int blocks) {
    return (long) blocks * WARPS * LEAST_CHUNK_ROWS;
  }

  int chunkRows() {
    long perChunk = rows / ((long) blocks * CHUNKS_PER_BLOCK);
    return (int) Math.max(LEAST_CHUNK_ROWS, Long.highestOneBit(Math.max(1, perChunk)));
  }

  /** Groups of so many that so many are. Of 2^31 - 1, too: there may be that many rows. */
  private static int ceil(int count, int group) {
    return (int) (((long) count + group - 1) / group);
  }

  /** Blocks of threads with one for each row. */
  static int blocksOfThreads(int rows) {
    return ceil(rows, KernelSource.BLOCK_THREADS);
  }

  /** The same blocks as a multiple of a cluster's; as many as that, if there are none. */
  static int wholeClusters(int blocks, int cluster) {
    return Math.max(1, ceil(blocks, cluster)) * cluster;
  }

  int chunks() {
    return ceil(rows, chunkRows());
  }

  /**
   * Writes the job.
   *
   * @param to the block in host memory
   * @param device the block on the device
   * @param columnsAt where the job's columns are
   */
  void fill(long to, long device, long columnsAt) {
    Platform.setMemory(null, to + statusAt, JOB_BYTES, (byte) 0);
    long job = to + statusAt;
    Platform.putLong(null, job, rows);
    Platform.putLong(null, job + 16, device + columnsAt);
    Platform.putInt(null, job + 32, chunkRows());
    Platform.putLong(null, job + REMAINING_AT, chunks());
  }

  /**
   * Writes the kernel's parameter.
   *
   * @param device the block on the device
   * @param queues all queues there
   * @param table the table of counts, as the device knows it
   */
  void putParameter(long to, long device, long queues, long table) {
    settings.put(to);
    long far = queues + queuesAt;
    long entries = far + 8L * blocks * settings.queueCapacity();
    long job = device + statusAt;
    Platform.putLong(null, to + BlockSettings.BYTES, far);
    Platform.putLong(null, to + BlockSettings.BYTES + 8, entries);
    Platform.putLong(null, to + BlockSettings.BYTES + 16, table + tableAt);
    Platform.putLong(null, to + BlockSettings.BYTES + 24, job);
    long cursor = entries + 8L * blocks;
    Platform.putLong(null, to + BlockSettings.BYTES + 32, cursor);
    Platform.putLong(null, to + BlockSettings.BYTES + 40, 0);
    Platform.putLong(null, to + BlockSettings.BYTES + 48, cursor + 8);
    // One job; the int behind it is padding.
    Platform.putLong(null, to + BlockSettings.BYTES + 56, 1);
  }

  /** Says in a kernel's parameter where its ring is on the device. */
  static void putRing(long to, long ring) {
    Platform.putLong(null, to + BlockSettings.BYTES + 40, ring);
  }

  /**
   * What the blocks counted.
   *
   * @param remainingChunks chunks that no block has computed
   * @param rows rows computed
   * @param blocks of threads
   * @param queued chunks in queues
   * @param capacity ranges that all queues hold
   * @param steals tried
   * @param stealsWon those that got rows
   * @param offers rows that were given
   */
  record Counts(
      long remainingChunks,
      long rows,
      int blocks,
      long queued,
      long capacity,
      long steals,
      long stealsWon,
      long offers) {
    static final Counts NONE = new Builder().build();

    /** By name, as most are longs; what is not set is 0. */
    static final class Builder {
      long remainingChunks;
      long rows;
      int blocks;
      long queued;
      long capacity;
      long steals;
      long stealsWon;
      long offers;

      Counts build() {
        return new Counts(
            remainingChunks, rows, blocks, queued, capacity, steals, stealsWon, offers);
      }
    }
  }

  /**
   * Reads what the blocks counted.
   *
   * @param job where the job is in host memory
   * @param table where the table of counts is in host memory; the kernel has ended
   */
  Counts counts(long job, long table) {
    Counts.Builder sum = new Counts.Builder();
    sum.blocks = blocks;
    for (int i = 0; i < blocks; i++) {
      long entry = table + tableAt + (long) MIRROR_BYTES * i;
      sum.rows += Platform.getLong(null, entry + ROWS_AT);
      sum.queued += Platform.getInt(null, entry + QUEUED_AT);
      sum.capacity += Platform.getInt(null, entry + CAPACITY_AT);
      sum.steals += Platform.getInt(null, entry + STEALS_AT);
      sum.offers += Platform.getInt(null, entry + OFFERS_AT);
      sum.stealsWon += Platform.getInt(null, entry + STEALS_WON_AT);
    }
    sum.remainingChunks = Platform.getLong(null, job + REMAINING_AT);
    return sum.build();
  }
}
