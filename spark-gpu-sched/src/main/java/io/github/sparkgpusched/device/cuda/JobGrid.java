package io.github.sparkgpusched.device.cuda;

import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * What the blocks of threads of one launch share (grid.cuh): the kernel's parameter, its jobs, its
 * queues, which begin as zeros, and the table of what its blocks count. Immutable.
 */
final class JobGrid {
  /** Bytes of {@code struct Grid}: the settings, six addresses, and how many jobs there are. */
  static final int PARAMETER_BYTES = BlockSettings.BYTES + 6 * 8 + 8;

  /** Where the address of a ring is in it. */
  private static final int RING_AT = BlockSettings.BYTES + 40;

  /** Rows of a chunk: one a lane of a warp. More where a block would have very many. */
  private static final int LEAST_CHUNK_ROWS = 32;

  private static final int CHUNKS_PER_BLOCK = 256;

  /** Warps of a block of threads: all of them compute. */
  private static final int WARPS = KernelSource.BLOCK_THREADS / LEAST_CHUNK_ROWS;

  /** Bytes of {@code struct Job}. */
  static final int JOB_BYTES = 48;

  private static final int FIRST_SHARE_AT = 36;
  private static final int REMAINING_AT = 40;

  /** Bytes of {@code struct BlockMirror}, and offsets in it. */
  private static final int MIRROR_BYTES = 32;

  static final int QUEUED_AT = 0;
  static final int CAPACITY_AT = 4;
  static final int ROWS_AT = 8;
  static final int STEALS_AT = 16;
  static final int OFFERS_AT = 20;
  static final int STEALS_WON_AT = 24;

  private final BlockSettings settings;
  private final int blocks;
  private final List<Integer> jobRows;
  private final long rows;

  /** The first share of each job, and behind the last where all end. */
  private final int[] shares;

  private final long queuesAt;
  private final long statusAt;
  private final long tableAt;

  /**
   * @param settings how blocks share rows; of several jobs by queues
   * @param blocks blocks of threads; no fewer than jobs
   * @param jobRows rows of each job
   * @param queuesAt where queues, load table and cursor are, from the begin of all queues
   * @param statusAt where the jobs are, one behind the other, from the begin of what is staged
   * @param tableAt where its part of the table is, from the table's begin
   */
  JobGrid(
      BlockSettings settings,
      int blocks,
      List<Integer> jobRows,
      long queuesAt,
      long statusAt,
      long tableAt) {
    // The kernel would wait for ever for the jobs that have no share.
    if (blocks < jobRows.size()) {
      throw new IllegalArgumentException(
          blocks + " blocks of threads for " + jobRows.size() + " jobs: this is a bug");
    }
    this.settings = settings;
    this.blocks = blocks;
    this.jobRows = List.copyOf(jobRows);
    this.rows = jobRows.stream().mapToLong(Integer::longValue).sum();
    this.shares = shares();
    this.queuesAt = queuesAt;
    this.statusAt = statusAt;
    this.tableAt = tableAt;
  }

  /** There are as many as blocks: each job has one, and more by its rows. */
  private int[] shares() {
    int[] firsts = new int[jobs() + 1];
    int more = blocks - jobs();
    long before = 0;
    for (int job = 0; job < jobs(); job++) {
      firsts[job] = job + (int) ((double) more * before / Math.max(1, rows));
      before += jobRows.get(job);
    }
    firsts[jobs()] = blocks;
    return firsts;
  }

  /** Of one job. */
  JobGrid(
      BlockSettings settings, int blocks, int rows, long queuesAt, long statusAt, long tableAt) {
    this(settings, blocks, List.of(rows), queuesAt, statusAt, tableAt);
  }

  static long queueBytes(BlockSettings settings, int blocks) {
    return StagedCall.aligned(8L * blocks * settings.queueCapacity() + 8L * blocks + 8);
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

  private int jobs() {
    return jobRows.size();
  }

  BlockSettings settings() {
    return settings;
  }

  /** Blocks of threads. */
  int blocks() {
    return blocks;
  }

  /** Rows of all jobs. */
  long rows() {
    return rows;
  }

  /** Where the jobs are, from the begin of what is staged. */
  long statusAt() {
    return statusAt;
  }

  /** The first share of a job. */
  int firstShare(int job) {
    return shares[job];
  }

  int chunkRows(int job) {
    long perChunk = jobRows.get(job) / ((long) (shares[job + 1] - shares[job]) * CHUNKS_PER_BLOCK);
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

  int chunks(int job) {
    return ceil(jobRows.get(job), chunkRows(job));
  }

  /**
   * Writes a job.
   *
   * @param staging what is staged, in host memory
   * @param columns where the job's columns are on the device
   */
  void fill(int job, long staging, long columns) {
    long to = staging + statusAt + (long) JOB_BYTES * job;
    Platform.setMemory(null, to, JOB_BYTES, (byte) 0);
    Platform.putLong(null, to, jobRows.get(job));
    Platform.putLong(null, to + 16, columns);
    Platform.putInt(null, to + 32, chunkRows(job));
    Platform.putInt(null, to + FIRST_SHARE_AT, firstShare(job));
    Platform.putLong(null, to + REMAINING_AT, chunks(job));
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
    Platform.putLong(null, to + RING_AT, 0);
    Platform.putLong(null, to + BlockSettings.BYTES + 48, jobs()); // and padding behind the int
  }

  /** Says in a kernel's parameter where its ring is on the device. */
  static void putRing(long to, long ring) {
    Platform.putLong(null, to + RING_AT, ring);
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
   * Chunks of a job that no block has computed.
   *
   * @param jobs where the jobs are in host memory; the kernel has ended
   */
  static long remainingChunks(long jobs, int job) {
    return Platform.getLong(null, jobs + (long) JOB_BYTES * job + REMAINING_AT);
  }

  /**
   * Reads what the blocks counted, of all jobs.
   *
   * @param jobs where the jobs are in host memory
   * @param table where the table of counts is in host memory; the kernel has ended
   */
  Counts counts(long jobs, long table) {
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
    for (int job = 0; job < jobs(); job++) {
      sum.remainingChunks += remainingChunks(jobs, job);
    }
    return sum.build();
  }
}
