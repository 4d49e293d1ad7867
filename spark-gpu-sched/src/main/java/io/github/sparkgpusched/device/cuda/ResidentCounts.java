package io.github.sparkgpusched.device.cuda;

/**
 * What the blocks of threads of a kernel that stays have counted, over all runs. The device's own
 * counters begin as 0 with each run, and those of 32 bits wrap; so what they grew by since the last
 * look is added up. Owner's thread only.
 */
final class ResidentCounts {
  private final MappedWords words;
  private long steals;
  private long stealsWon;
  private long offers;
  private long rows;

  /** Of this run, at the last look. */
  private int[] seen = new int[3];

  private long seenRows;

  // As they were at the last look, of the run.
  private int blocks;
  private long queued;
  private long capacity;

  ResidentCounts(ResidentRing ring) {
    words = ring.words();
  }

  /** A run begins, with so many blocks of threads; the last run was looked at after its end. */
  void begin(int blocksOfRun) {
    blocks = blocksOfRun;
    seen = new int[3];
    seenRows = 0;
  }

  /** Adds what was counted since the last look. */
  void look() {
    int[] now = new int[3];
    long nowRows = 0;
    queued = 0;
    capacity = 0;
    for (int i = 0; i < blocks; i++) {
      int entry = ResidentRing.TABLE_AT + (int) JobGrid.tableBytes(i);
      queued += words.intCounter(entry + JobGrid.QUEUED_AT);
      capacity += words.intCounter(entry + JobGrid.CAPACITY_AT);
      nowRows += words.counter(entry + JobGrid.ROWS_AT);
      now[0] += words.intCounter(entry + JobGrid.STEALS_AT);
      now[1] += words.intCounter(entry + JobGrid.STEALS_WON_AT);
      now[2] += words.intCounter(entry + JobGrid.OFFERS_AT);
    }
    // Differences of counters that wrap are right.
    steals += Integer.toUnsignedLong(now[0] - seen[0]);
    stealsWon += Integer.toUnsignedLong(now[1] - seen[1]);
    offers += Integer.toUnsignedLong(now[2] - seen[2]);
    seen = now;
    rows += nowRows - seenRows;
    seenRows = nowRows;
  }

  /** As of the last look. */
  JobGrid.Counts get() {
    JobGrid.Counts.Builder counts = new JobGrid.Counts.Builder();
    counts.rows = rows;
    counts.blocks = blocks;
    counts.queued = queued;
    counts.capacity = capacity;
    counts.steals = steals;
    counts.stealsWon = stealsWon;
    counts.offers = offers;
    return counts.build();
  }
}
