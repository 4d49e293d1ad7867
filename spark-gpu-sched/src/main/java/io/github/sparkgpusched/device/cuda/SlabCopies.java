package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.columnar.SlabPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What of a block's columns the device copies by itself, as it lies in slabs of the device's pool:
 * added column by column, then laid out once. Pieces that nearly touch are one copy. On the device
 * all of it begins where the block does. Owner's thread only.
 */
final class SlabCopies {
  /** Copying so much in vain takes no longer than another call into the driver. */
  private static final int GAP_BYTES = 16 << 10;

  /** Strings and arrays of a column in more slabs than this, or farther apart, are staged. */
  private static final int MOST_SLABS = 64;

  private static final int ALIGNMENT = 128;

  private record Piece(long begin, long end, Slab slab) {}

  /**
   * One copy.
   *
   * @param host where it begins in host memory
   * @param at where it goes, from the begin of the block
   */
  record Copy(long host, long bytes, long at) {}

  /** Of a block that is staged as a whole. */
  static final SlabCopies NONE = new SlabCopies(SlabPool.NONE);

  private final SlabPool pool;
  private final List<Piece> pieces = new ArrayList<>();
  private final Set<Slab> slabs = Collections.newSetFromMap(new IdentityHashMap<>());
  private List<Copy> copies = List.of();
  private long bytes;

  SlabCopies(SlabPool pool) {
    this.pool = pool;
  }

  /**
   * Adds rows of a column, unless the device cannot copy them by itself.
   *
   * @return whether it can
   */
  boolean add(BatchColumn column, int from, int until) {
    long values = column.valueAddress(from);
    long valueBytes = column.valueAddress(until) - values;
    Slab slab = column.slabAt(values, valueBytes);
    if (slab == null || !slab.isOf(pool)) {
      return false;
    }
    if (column.type().isVariableWidth() && !addLists(column, from, until)) {
      return false;
    }
    add(values, valueBytes, slab);
    if (column.mayHaveNulls()) {
      add(column.validityAddress(from), until - from, slab);
    }
    return true;
  }

  private void add(long address, long size, Slab slab) {
    pieces.add(new Piece(address, address + size, slab));
    slabs.add(slab);
  }

  /** The bytes of strings or arrays, if they lie in one region, and not much else between them. */
  private boolean addLists(BatchColumn column, int from, int until) {
    Set<Slab> found = new HashSet<>();
    Slab slab = null;
    long least = Long.MAX_VALUE;
    long end = 0;
    long needed = 0;
    long last = 0;
    for (int row = from; row < until; row++) {
      long address = column.dataAddress(row);
      if (address == last || (column.mayHaveNulls() && column.isNull(row))) {
        continue;
      }
      int size = column.dataBytes(row);
      if (size == 0) {
        continue;
      }
      last = address;
      if (slab == null || address < slab.address() || address + size > slab.end()) {
        Slab before = slab;
        slab = found.size() > MOST_SLABS ? null : column.slabAt(address, size);
        if (slab == null || !slab.isOf(pool) || (before != null && !slab.isBeside(before))) {
          return false;
        }
        found.add(slab);
      }
      least = Math.min(least, address);
      end = Math.max(end, address + size);
      needed += size;
    }
    if (end - least > 2 * needed + GAP_BYTES) {
      return false;
    }
    if (needed > 0) {
      add(least, end - least, slab);
      slabs.addAll(found);
    }
    return true;
  }

  /** All columns have been added: finds out which copies are made, and where they go. */
  SlabCopies layOut() {
    copies = new ArrayList<>();
    pieces.sort(Comparator.comparingLong(Piece::begin));
    for (int i = 0; i < pieces.size(); ) {
      Piece first = pieces.get(i);
      long end = first.end();
      while (++i < pieces.size()
          && pieces.get(i).begin() - end <= GAP_BYTES
          && pieces.get(i).slab().isBeside(first.slab())) {
        end = Math.max(end, pieces.get(i).end());
      }
      // As it lies there, so that what is aligned stays so.
      long at = aligned(bytes) + first.begin() % ALIGNMENT;
      copies.add(new Copy(first.begin(), end - first.begin(), at));
      bytes = at + end - first.begin();
    }
    bytes = aligned(bytes);
    return this;
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Bytes that all of it takes on the device. */
  long bytes() {
    return bytes;
  }

  /** Bytes that are copied. */
  long copiedBytes() {
    return copies.stream().mapToLong(Copy::bytes).sum();
  }

  List<Copy> copies() {
    return copies;
  }

  /** What must be held until the device has made the copies. */
  Set<Slab> slabs() {
    return slabs;
  }

  /** What is to be added to host addresses to get addresses in the block, of a column's values. */
  long shift(long host) {
    for (Copy copy : copies) {
      if (host >= copy.host() && host < copy.host() + copy.bytes()) {
        return copy.at() - copy.host();
      }
    }
    throw new IllegalStateException("a column is not in its block: this is a bug");
  }
}
