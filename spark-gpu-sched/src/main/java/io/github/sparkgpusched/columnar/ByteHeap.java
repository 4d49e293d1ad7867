package io.github.sparkgpusched.columnar;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Bump allocation of variable-width data in chunks that never move. Not thread-safe. {@link #reset}
 * keeps the chunks for the next batch; the owner of the {@link BatchMemory} frees them.
 */
final class ByteHeap {
  private static final int FIRST_CHUNK_BYTES = 16 << 10;
  private static final int LARGEST_CHUNK_BYTES = 4 << 20;

  private record Chunk(long address, long bytes) {}

  private final BatchMemory memory;
  private final List<Chunk> chunks = new ArrayList<>();
  private int current = -1;
  private long position;
  private long end;
  private long usedBytes;
  private long heldBytes;

  ByteHeap(BatchMemory memory) {
    this.memory = memory;
  }

  /** Room for {@code bytes} bytes at an 8-byte aligned address. */
  long allocate(long bytes) throws BatchMemory.Refused {
    long aligned = (bytes + 7) & ~7L;
    while (end - position < aligned) {
      nextChunk(aligned);
    }
    long address = position;
    position += aligned;
    usedBytes += aligned;
    return address;
  }

  /** Bytes handed out since the last reset. */
  long usedBytes() {
    return usedBytes;
  }

  /**
   * Forgets what was handed out, so that its chunks serve the next batch; but for those that a
   * device may still read.
   */
  void reset() {
    rewind();
    for (Iterator<Chunk> each = chunks.iterator(); each.hasNext(); ) {
      Chunk chunk = each.next();
      if (memory.isLent(chunk.address())) {
        memory.free(chunk.address());
        heldBytes -= chunk.bytes();
        each.remove();
      }
    }
  }

  private void rewind() {
    current = -1;
    position = 0;
    end = 0;
    usedBytes = 0;
  }

  /** Forgets what was handed out, and gives the chunks back. */
  void release() {
    rewind();
    chunks.forEach(chunk -> memory.free(chunk.address()));
    chunks.clear();
    heldBytes = 0;
  }

  private void nextChunk(long atLeast) throws BatchMemory.Refused {
    if (current + 1 >= chunks.size()) {
      // Double what is held, so that a small batch holds little and a large one is made of few
      // chunks.
      long wanted = Math.min(LARGEST_CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, heldBytes));
      long bytes = Math.max(wanted, atLeast);
      chunks.add(new Chunk(memory.allocate(bytes), bytes));
      heldBytes += bytes;
    }
    current++;
    Chunk chunk = chunks.get(current);
    position = chunk.address();
    end = chunk.address() + chunk.bytes();
  }
}
