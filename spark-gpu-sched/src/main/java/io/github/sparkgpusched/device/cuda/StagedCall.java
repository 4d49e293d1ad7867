package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.columnar.Slab;
import java.util.IdentityHashMap;
import org.apache.spark.unsafe.Platform;

/**
 * One call's columns of a range of rows, laid out as its kernel wants them (columns.cuh). A column
 * that calls of a block share is there once. Where a column lies in memory that a device has
 * page-locked the device copies it by itself ({@link SlabCopies}); pairs of strings and arrays keep
 * their host addresses then. Other columns are staged: values and validity bytes are copied as they
 * are; of strings and arrays a row has an (offset, size) pair, and the bytes lie behind all pairs;
 * neighbouring rows that point to the same bytes share one copy. Of a column that repeats its first
 * row, as a literal does, that row alone is staged. A string result has a place of a fixed size for
 * each row; what does not fit is left to the host form. Every staged part begins at a multiple of
 * 16 bytes. Owner's thread only.
 */
final class StagedCall {
  /** {@code ROW_VALID}. */
  private static final byte VALID = 1;

  /** {@code ROW_FOR_HOST}: a row that a CUDA function cannot be given. */
  static final byte FOR_HOST = 2;

  /** No state of a row. */
  private static final byte MISSING = (byte) 0xFF;

  /** Bytes of {@code struct Column}. */
  static final int COLUMN_BYTES = 32;

  /** Of a result {@code slot_bytes}, of an argument {@code repeats}. */
  private static final int LAST_AT = 24;

  private final CallColumns columns;

  /** Bytes of a string result's place; 0 for other results. */
  private final int stringBytes;

  private final int from;
  private final int rows;

  /** The guard, which may be null, and the arguments. */
  private final BatchColumn[] inputs;

  /** By input, where it is in the block. */
  private final Place[] places;

  /** By input, where it will be if the device copies it by itself; else null. */
  private final CopiedColumn[] copied;

  /** What the device copies by itself; of all calls of the block. */
  private final SlabCopies copies;

  /** Where this call's part of the block's arguments begins, and ends. */
  private final long begin;

  private long end;

  /** What is staged of its rows, but for what repeats. */
  private long rowBytes;

  /**
   * Where a column is in a block, in bytes from the begin of what is staged; 0 for what it has not,
   * as the table of columns is there.
   *
   * @param isStaged false if the device copies it by itself
   * @param isFirst whether its call is the first that has it, and so fills it
   * @param repeats whether its one row is that of all
   */
  record Place(
      long values, long validity, long heap, boolean isStaged, boolean isFirst, boolean repeats) {
    private static final Place COPIED = new Place(0, 0, 0, false, false, false);

    private Place again() {
      return new Place(values, validity, heap, isStaged, false, repeats);
    }
  }

  /**
   * Looks at the rows, and finds out what room they need.
   *
   * @param stringBytes most bytes of a string result
   * @param begin where this call's part of the block begins, in bytes
   * @param placed where columns of the block's calls are; those of this one are added
   * @param copies what the device copies by itself; those of this call are added
   */
  StagedCall(
      CallColumns columns,
      int from,
      int until,
      int stringBytes,
      long begin,
      IdentityHashMap<BatchColumn, Place> placed,
      SlabCopies copies) {
    this.columns = columns;
    this.copies = copies;
    this.begin = begin;
    this.stringBytes = columns.result().type().isVariableWidth() ? stringBytes : 0;
    this.from = from;
    this.rows = until - from;
    inputs = new BatchColumn[1 + columns.count()];
    inputs[0] = columns.guard();
    for (int i = 0; i < columns.count(); i++) {
      inputs[1 + i] = columns.argument(i);
    }
    places = new Place[inputs.length];
    copied = new CopiedColumn[inputs.length];
    end = begin + aligned((long) COLUMN_BYTES * (1 + inputs.length));
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i] != null) {
        Place before = placed.get(inputs[i]);
        places[i] = before == null ? place(inputs[i]) : before.again();
        placed.putIfAbsent(inputs[i], places[i]);
      }
    }
  }

  /** One call alone, all of it staged. */
  StagedCall(CallColumns columns, int from, int until, int stringBytes) {
    this(columns, from, until, stringBytes, 0, new IdentityHashMap<>(), SlabCopies.NONE);
  }

  private Place place(BatchColumn input) {
    if (!input.repeats() && copies.add(input, from, from + rows)) {
      return Place.COPIED;
    }
    int staged = stagedRows(input);
    long values = (long) staged * input.type().width();
    int validity = input.mayHaveNulls() ? staged : 0;
    boolean hasHeap = input.type().isVariableWidth();
    long heap = hasHeap ? StagedLists.bytes(input, from, staged) : 0;
    if (!input.repeats()) {
      rowBytes += values + validity + heap;
    }
    return new Place(
        part(values),
        validity > 0 ? part(validity) : 0,
        hasHeap ? part(heap) : 0,
        true,
        true,
        input.repeats());
  }

  private int stagedRows(BatchColumn input) {
    return input.repeats() ? 1 : rows;
  }

  private long part(long size) {
    long part = end;
    end += aligned(size);
    return part;
  }

  static long aligned(long bytes) {
    return (bytes + 15) & ~15L;
  }

  int rows() {
    return rows;
  }

  /** Columns of the table: the result, the guard, the arguments. */
  int columns() {
    return 1 + inputs.length;
  }

  /** Bytes that the arguments take that are staged, and that no call before has. */
  long bytes() {
    return end - begin;
  }

  /** What of these is of its rows: more of them would have more. */
  long rowBytes() {
    return rowBytes;
  }

  /** Where its table of columns is in the block. */
  long tableAt() {
    return begin;
  }

  /** Bytes that the results take: values, then validity, then strings. */
  long resultBytes() {
    return stringsAt() + aligned((long) rows * stringBytes);
  }

  private long stringsAt() {
    return resultValueBytes() + aligned(rows);
  }

  private long resultValueBytes() {
    return aligned((long) rows * columns.result().type().width());
  }

  /**
   * Writes the arguments that are staged, and that no call before has, and finds out where those
   * are that the device copies. That is laid out, and the job is not over: from now on no argument
   * is read. The table of columns is written by {@link #fillTable}.
   *
   * @param address where the block's arguments begin in host memory
   */
  void fill(long address) {
    for (int i = 0; i < inputs.length; i++) {
      BatchColumn input = inputs[i];
      Place place = places[i];
      if (input != null && !place.isStaged()) {
        copied[i] = CopiedColumn.of(input, from, rows, copies);
      }
      if (input == null || !place.isFirst()) {
        continue;
      }
      int staged = stagedRows(input);
      if (input.type().isVariableWidth()) {
        StagedLists.copy(input, from, staged, address + place.values(), address + place.heap());
      } else {
        Platform.copyMemory(
            null,
            input.valueAddress(from),
            null,
            address + place.values(),
            (long) staged * input.type().width());
      }
      if (place.validity() != 0) {
        Platform.copyMemory(
            null, input.validityAddress(from), null, address + place.validity(), staged);
      }
    }
  }

  /**
   * Writes the table of columns, with addresses on the device. Reads nothing of the job, which may
   * be over.
   *
   * @param staging where the block's staged arguments begin in host memory
   * @param block where the block begins on the device
   * @param arguments where the staged arguments begin there
   * @param results where results go there
   */
  void fillTable(long staging, long block, long arguments, long results) {
    long to = staging + begin;
    putColumn(to, results, results + resultValueBytes(), results + stringsAt());
    Platform.putLong(null, to + LAST_AT, stringBytes);
    for (int i = 0; i < inputs.length; i++) {
      to += COLUMN_BYTES;
      Place place = places[i];
      if (place == null) {
        putColumn(to, 0, 0, 0);
      } else if (place.isStaged()) {
        putColumn(
            to,
            arguments + place.values(),
            place.validity() == 0 ? 0 : arguments + place.validity(),
            place.heap() == 0 ? 0 : arguments + place.heap());
        Platform.putLong(null, to + LAST_AT, place.repeats() ? 1 : 0);
      } else {
        copied[i].put(to, block);
      }
    }
  }

  static void putColumn(long to, long values, long validity, long heap) {
    Platform.putLong(null, to, values);
    Platform.putLong(null, to + 8, validity);
    Platform.putLong(null, to + 16, heap);
    Platform.putLong(null, to + LAST_AT, 0);
  }

  /**
   * Writes results of rows {@code [first, until)} of the batch into the call's column.
   *
   * @param results where the results of this block are, in host memory
   * @param strings where string results go
   * @return true if there are rows for the host form, which are to be {@linkplain #clear cleared}
   */
  boolean publish(long results, int first, int until, ResultWriter strings) {
    BatchColumn column = columns.result();
    long states = results + resultValueBytes() + (first - from);
    boolean forHost = RowBytes.anyForHost(states, until - first);
    if (stringBytes > 0) {
      publishStrings(results, first, until, strings);
      return forHost;
    }
    int width = column.type().width();
    Platform.copyMemory(
        null,
        results + (long) (first - from) * width,
        null,
        column.valueAddress(first),
        (long) (until - first) * width);
    long validity = column.validityAddress(first);
    Platform.copyMemory(null, states, null, validity, until - first);
    return forHost;
  }

  /** Rows {@code [first, until)} of the batch become null, as the host form takes them to be. */
  void clear(int first, int until) {
    Platform.setMemory(null, columns.result().validityAddress(first), until - first, (byte) 0);
  }

  private void publishStrings(long results, int first, int until, ResultWriter strings) {
    strings.beginRange(first, until);
    for (int row = first; row < until; row++) {
      if (Platform.getByte(null, results + resultValueBytes() + (row - from)) == VALID) {
        long extent = results + (long) StagedLists.EXTENT_BYTES * (row - from);
        strings.setBytes(
            row,
            results + stringsAt() + Platform.getLong(null, extent),
            Platform.getInt(null, extent + 8));
      }
    }
  }

  /**
   * Whether results of fixed width are those of a whole batch: then its column can have the memory
   * that they are in.
   */
  boolean isWholeBatch() {
    return stringBytes == 0 && from == 0 && rows == columns.arguments().rows();
  }

  /** Gives the call's column the slab that its results are in, all of which it was computed. */
  void handOver(Slab slab, long results) {
    columns.result().adopt(slab, results, results + resultValueBytes(), rows);
  }

  /** Whether there are rows for the host form. */
  boolean hasRowsForHost(long results) {
    return RowBytes.anyForHost(results + resultValueBytes(), rows);
  }

  /** Marks all rows as not computed, where that is to be found out by {@link #requireComplete}. */
  void markMissing(long results) {
    Platform.setMemory(null, results + resultValueBytes(), rows, MISSING);
  }

  /**
   * Looks whether each row was computed.
   *
   * @throws IllegalStateException if one was not
   */
  void requireComplete(long results, String function, String device) {
    for (int i = 0; i < rows; i++) {
      if (Platform.getByte(null, results + resultValueBytes() + i) == MISSING) {
        throw new IllegalStateException(
            "the resident kernel of '%s' left out row %s of %s on %s: this is a bug"
                .formatted(function, i, rows, device));
      }
    }
  }

  /** True if a row of the batch is for the host form. */
  boolean isForHost(long results, int row) {
    return Platform.getByte(null, results + resultValueBytes() + (row - from)) == FOR_HOST;
  }
}
