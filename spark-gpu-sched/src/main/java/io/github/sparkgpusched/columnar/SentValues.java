package io.github.sparkgpusched.columnar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The large values of a batch that a receiver keeps, so that each is sent once, however many rows
 * have it. Both sides number them in the order in which they are sent, while there is room. One
 * value is one address, which lasts as long as the batch. Not thread-safe.
 *
 * <p>A message is measured first, by {@link #add}, and then written, by {@link #reference}, value
 * by value in the same order; or it is not written, and {@linkplain #undo undone}.
 */
public final class SentValues {
  /** Most bytes that a receiver keeps. */
  static final long MOST_BYTES = 32 << 20;

  private final Map<Long, Integer> numbers = new HashMap<>();

  /** By number. */
  private final List<Long> addresses = new ArrayList<>();

  private final List<Integer> sizes = new ArrayList<>();
  private long bytes;

  /** Numbers below it are of values that were written. */
  private int written;

  /** Whether a value is kept if it is sent, on either side. */
  static boolean isKept(int size, long keptBytes) {
    return size >= ValueHeap.LARGE_BYTES && keptBytes + size <= MOST_BYTES;
  }

  /** The receiver keeps nothing any more. */
  public void clear() {
    written = 0;
    undo();
  }

  /** How many of the batch's values were written so far, and are kept. */
  public int written() {
    return written;
  }

  /** Measures a value; true if its bytes are sent, and false if the receiver has them by then. */
  boolean add(long address, int size) {
    if (size < ValueHeap.LARGE_BYTES) {
      return true;
    }
    if (numbers.containsKey(address)) {
      return false;
    }
    if (isKept(size, bytes)) {
      numbers.put(address, addresses.size());
      addresses.add(address);
      sizes.add(size);
      bytes += size;
    }
    return true;
  }

  /** What was measured last is not written. */
  public void undo() {
    for (int number = addresses.size() - 1; number >= written; number--) {
      numbers.remove(addresses.remove(number));
      bytes -= sizes.remove(number);
    }
  }

  /** The number of a value that the receiver has; -1 if its bytes are to be written now. */
  int reference(long address, int size) {
    Integer number = size < ValueHeap.LARGE_BYTES ? null : numbers.get(address);
    if (number == null) {
      return -1;
    }
    if (number == written) {
      written++;
      return -1;
    }
    return number;
  }
}
