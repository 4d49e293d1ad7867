package io.github.sparkgpusched.columnar;

import java.util.ArrayList;
import java.util.List;

/** The receiver's side of {@link SentValues}. Not thread-safe. Its memory ends with the batch's. */
final class KeptValues {
  record Value(long address, int bytes) {}

  private final ByteHeap heap;
  private final List<Value> values = new ArrayList<>();
  private long keptBytes;

  KeptValues(BatchMemory memory) {
    this.heap = new ByteHeap(memory);
  }

  /** Forgets all, as the sender has. */
  void clear() {
    heap.reset();
    values.clear();
    keptBytes = 0;
  }

  int size() {
    return values.size();
  }

  /** Room for a value that was sent, if it is to be kept, which then has the next number; or 0. */
  long keep(int bytes) throws BatchMemory.Refused {
    if (!SentValues.isKept(bytes, keptBytes)) {
      return 0;
    }
    long address = heap.allocate(bytes);
    values.add(new Value(address, bytes));
    keptBytes += bytes;
    return address;
  }

  /**
   * @throws UnknownValueException if there is none of that number
   */
  Value get(int number) {
    if (number >= values.size()) {
      throw new UnknownValueException(number, values.size());
    }
    return values.get(number);
  }
}
