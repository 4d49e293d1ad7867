package io.github.sparkgpusched.load;

/** What a {@link Measure} is counted in where it is told to others. */
public enum Unit {
  ROWS("rows", 1),
  BLOCKS("blocks", 1),
  TIMES("times", 1),
  BYTES("bytes", 1),
  /** Kept in nanoseconds, told in milliseconds. */
  MILLIS("ms", 1_000_000),
  /** Kept in nanoseconds, told in microseconds. */
  MICROS("µs", 1_000);

  private final String text;
  private final long kept;

  Unit(String text, long kept) {
    this.text = text;
    this.kept = kept;
  }

  /** True if what is kept is nanoseconds. */
  public boolean isTime() {
    return kept != 1;
  }

  long told(long value) {
    return value / kept;
  }

  /** The unit's name or sign. */
  @Override
  public String toString() {
    return text;
  }
}
