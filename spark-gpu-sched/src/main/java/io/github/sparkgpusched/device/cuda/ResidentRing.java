package io.github.sparkgpusched.device.cuda;

import org.apache.spark.unsafe.Platform;

/**
 * The words that the host and a kernel that stays share (ring.cuh): slots for jobs, the word that
 * asks it to stop, its heartbeat, and the table of what its blocks of threads count. They are the
 * begin of mapped host memory.
 *
 * <p><b>Who writes.</b> A slot's job, its sequence and the word to stop: the host, which writes job
 * i to slot i mod {@link #CAPACITY} once job i - CAPACITY is done. {@code done}, which grows, the
 * heartbeat and the table: the device. All begin as 0 with each run. Owner's thread only.
 */
final class ResidentRing {
  /** Jobs; a power of two. More than are ever in flight. */
  static final int CAPACITY = 8;

  // Offsets in struct RingSlot and struct RingControl.
  private static final int SLOT_BYTES = 128;
  private static final int ROWS_AT = 8;
  private static final int FIRST_ROW_AT = 16;
  private static final int COLUMNS_AT = 24;
  private static final int CHUNK_ROWS_AT = 32;
  private static final int COLUMN_WORDS_AT = 40;
  private static final int DONE_AT = 64;
  private static final int CONTROL_AT = SLOT_BYTES * CAPACITY;
  private static final int STOP_AT = CONTROL_AT;
  private static final int HEARTBEAT_AT = CONTROL_AT + 64;

  /** Where the host has its copy of {@code struct Ring}, which begins a run. */
  private static final int RING_AT = CONTROL_AT + 128;

  /** Bytes of {@code struct Ring}. */
  static final int RING_BYTES = 64;

  /** Where the table of counts is, from the begin. */
  static final int TABLE_AT = RING_AT + RING_BYTES;

  private static final int CHUNK_ROWS = 32;

  private final long host;
  private final long onDevice;
  private final MappedWords words;

  /**
   * @param host where it is in this process
   * @param onDevice the address by which the device knows it
   * @param blocks most blocks of threads
   */
  ResidentRing(long host, long onDevice, int blocks) {
    this.host = host;
    this.onDevice = onDevice;
    words = new MappedWords(host, (int) bytes(blocks));
  }

  /** Bytes of all of it, for so many blocks of threads. */
  static long bytes(int blocks) {
    return TABLE_AT + JobGrid.tableBytes(blocks);
  }

  /**
   * Empties it for a run; no kernel may look at it.
   *
   * @param columns where the device keeps the columns of jobs
   * @return where its {@code struct Ring} is in host memory, {@link #RING_BYTES} long
   */
  long reset(int blocks, long columns) {
    Platform.setMemory(null, host, bytes(blocks), (byte) 0);
    Platform.putLong(null, host + RING_AT, onDevice);
    Platform.putLong(null, host + RING_AT + 8, onDevice + CONTROL_AT);
    Platform.putLong(null, host + RING_AT + 16, CAPACITY);
    Platform.putLong(null, host + RING_AT + 40, columns);
    return host + RING_AT;
  }

  /** Gives the kernel a job, whose slot is free. */
  void put(long job, int rows, long columns, int columnCount) {
    int slot = slotOf(job);
    words.setLong(slot + ROWS_AT, rows);
    words.setLong(slot + FIRST_ROW_AT, 0);
    words.setLong(slot + COLUMNS_AT, columns);
    words.setLong(slot + CHUNK_ROWS_AT, CHUNK_ROWS);
    words.setLong(slot + COLUMN_WORDS_AT, columnCount * (StagedCall.COLUMN_BYTES / 8L));
    words.releaseLong(slot, job + 1);
  }

  /** True if a job of this run is done; its results are there then. */
  boolean isDone(long job) {
    return words.acquireLong(slotOf(job) + DONE_AT) > job;
  }

  private static int slotOf(long job) {
    return (int) (job & (CAPACITY - 1)) * SLOT_BYTES;
  }

  /** The kernel ends once all jobs are done. */
  void askToStop() {
    words.releaseLong(STOP_AT, 1);
  }

  /** Changes with each of the kernel's looks for work; 0 before the first. */
  long heartbeat() {
    return words.counter(HEARTBEAT_AT);
  }

  /** All of it; the table of counts is at {@link #TABLE_AT}. */
  MappedWords words() {
    return words;
  }
}
