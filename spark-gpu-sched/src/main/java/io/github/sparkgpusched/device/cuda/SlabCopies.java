package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.columnar.SlabPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What of a block's columns the device copies by itself, as it lies in slabs of its own pool or
 * another device's: added column by column, then laid out once. Pieces that nearly touch are one
 * copy. Those that lie close together lie so on the device, too, though not all between them is
 * copied: then one number turns the host's addresses of a column's strings into the device's. The
 * slabs are lent to the device from the time that they are added, until a slot takes that over or
 * they are {@linkplain #release released}. Owner's thread only.
 */
final class SlabCopies {
  /** Copying so much in vain takes no longer than another call into the driver. */
  private static final int GAP_BYTES = 16 << 10;

  /** Pieces that are farther apart are so on the host alone. */
  private static final int CLOSE_BYTES = 512 << 10;

  /** Strings and arrays of a column in more slabs than this are staged. */
  private static final int MOST_SLABS = 64;

  /** So are those between which so many times their own bytes lie, of other columns. */
  private static final int MOST_BETWEEN = 8;

  private static final int ALIGNMENT = 128;

  private record Piece(long begin, long end, Slab slab) {
    boolean isCloseTo(long place, Slab other, int bytes) {
      return begin - place <= bytes && slab.isBeside(other);
    }
  }

  /**
   * One copy.
   *
   * @param host where it begins in host memory
   * @param at where it goes, from the begin of the launch's memory
   */
  record Copy(long host, long bytes, long at) {}

  /** Of a block that is staged as a whole. */
  static final SlabCopies NONE = new SlabCopies(SlabPool.NONE);

  private final SlabPool pool;
  private final List<Piece> pieces = new ArrayList<>();
  private final Set<Slab> slabs = new HashSet<>();
  private List<Copy> copies = List.of();
  private long end;

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
    if (!hold(slab)) {
      return false;
    }
    if (column.type().isVariableWidth() && !addLists(column, from, until)) {
      return false;
    }
    pieces.add(new Piece(values, values + valueBytes, slab));
    if (column.mayHaveNulls()) {
      pieces.add(new Piece(column.validityAddress(from), column.validityAddress(until), slab));
    }
    return true;
  }

  /** Whether the device can copy from a slab, which may be null; then it is lent to the device. */
  private boolean hold(Slab slab) {
    if (slab == null) {
      return false;
    }
    if (!slabs.contains(slab)) {
      if (!slab.lendTo(pool)) {
        return false;
      }
      slabs.add(slab);
    }
    return true;
  }

  /** Gives all slabs back: the device will not copy from them. */
  void release() {
    slabs.forEach(slab -> slab.giveBackFrom(pool));
    slabs.clear();
  }

  /** The bytes of strings or arrays, if all of them lie close together. */
  private boolean addLists(BatchColumn column, int from, int until) {
    List<Piece> found = new ArrayList<>();
    Slab slab = null;
    long begin = 0;
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
      needed += size;
      if (slab == null || address < slab.address() || address + size > slab.end()) {
        if (slab != null) {
          found.add(new Piece(begin, end, slab));
        }
        slab = column.slabAt(address, size);
        if (found.size() == MOST_SLABS || !hold(slab)) {
          return false;
        }
        begin = address;
        end = address;
      }
      begin = Math.min(begin, address);
      end = Math.max(end, address + size);
    }
    if (slab != null) {
      found.add(new Piece(begin, end, slab));
    }
    if (!areClose(found, MOST_BETWEEN * needed + GAP_BYTES)) {
      return false;
    }
    pieces.addAll(found);
    return true;
  }

  /** Whether no two neighbours are far apart, nor all together longer than that. */
  private static boolean areClose(List<Piece> found, long most) {
    found.sort(Comparator.comparingLong(Piece::begin));
    long length = 0;
    for (int i = 0; i < found.size(); i++) {
      Piece piece = found.get(i);
      length += piece.end() - piece.begin();
      if (i > 0) {
        Piece before = found.get(i - 1);
        if (!piece.isCloseTo(before.end(), before.slab(), CLOSE_BYTES)) {
          return false;
        }
      }
    }
    return length <= most;
  }

  /**
   * All columns have been added: finds out which copies are made, and where they go.
   *
   * @param begin where it begins in the launch's memory, aligned
   */
  SlabCopies layOut(long begin) {
    end = begin;
    copies = new ArrayList<>();
    pieces.sort(Comparator.comparingLong(Piece::begin));
    long shift = 0;
    long before = 0;
    for (int i = 0; i < pieces.size(); ) {
      Piece first = pieces.get(i);
      long last = first.end();
      if (i == 0 || !first.isCloseTo(before, pieces.get(i - 1).slab(), CLOSE_BYTES)) {
        // As it lies there, so that what is aligned stays so.
        shift = aligned(end) + first.begin() % ALIGNMENT - first.begin();
      }
      while (++i < pieces.size() && pieces.get(i).isCloseTo(last, first.slab(), GAP_BYTES)) {
        last = Math.max(last, pieces.get(i).end());
      }
      copies.add(new Copy(first.begin(), last - first.begin(), first.begin() + shift));
      end = last + shift;
      before = last;
    }
    end = aligned(end);
    return this;
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Where it ends in the launch's memory. */
  long end() {
    return end;
  }

  /** Bytes that are copied. */
  long copiedBytes() {
    return copies.stream().mapToLong(Copy::bytes).sum();
  }

  List<Copy> copies() {
    return copies;
  }

  /** What is lent to the device, until it has made the copies. */
  Set<Slab> slabs() {
    return slabs;
  }

  /** What is to be added to host addresses to get addresses in the launch's memory. */
  long shift(long host) {
    for (Copy copy : copies) {
      if (host >= copy.host() && host < copy.host() + copy.bytes()) {
        return copy.at() - copy.host();
      }
    }
    throw new IllegalStateException("a column is not in its block: this is a bug");
  }
}
