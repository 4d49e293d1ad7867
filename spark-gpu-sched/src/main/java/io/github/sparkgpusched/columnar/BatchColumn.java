package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * One column of a batch: values and validity bytes, off-heap (see the package's description).
 *
 * <p>The task thread sizes and fills argument columns before a job begins; during a job any thread
 * reads them. Result columns are written during a job, each row by the one thread that computes it.
 * The job's end orders these writes before the task thread's reads.
 */
public final class BatchColumn {
  private static final byte VALID = 1;

  final ColumnType type;
  final DataType dataType;
  private final BatchMemory memory;
  private int capacityRows;

  /**
   * What was allocated for values and validity, so that one copy can take both, and for {@linkplain
   * AdjacentColumns columns beside this one}.
   */
  private long block;

  private long values;
  private long validity;

  /** Null unless a device has filled other memory with all rows' results: {@link #adopt}. */
  private volatile Adopted adopted;

  /** Memory that takes the place of a column's own. */
  private record Adopted(Slab slab, long values, long validity, int rows) {}

  /**
   * False if every row of the current batch is known to be valid. Written by the task thread
   * between jobs.
   */
  private boolean mayHaveNulls;

  /** Whether all rows are known to hold what row 0 holds. Likewise. */
  private boolean repeats;

  public BatchColumn(ColumnType type, DataType dataType, BatchMemory memory) {
    this.type = type;
    this.dataType = dataType;
    this.memory = memory;
  }

  /**
   * Makes room for rows, which may then be written: what the column held is lost if it has to grow,
   * or if a device may still read it.
   */
  public void reserve(int rows) throws BatchMemory.Refused {
    if (!hasRoom(rows)) {
      release();
      long address = memory.allocate((long) rows * bytesPerRow());
      place(address, address, address + (long) rows * type.width, rows);
    }
  }

  /** Whether rows may be written where the column is. */
  boolean hasRoom(int rows) {
    return rows <= capacityRows && !memory.isLent(block);
  }

  /**
   * Rows lie there from now on.
   *
   * @param within what is freed when the column is released
   */
  void place(long within, long valuesAt, long validityAt, int rows) {
    block = within;
    values = valuesAt;
    validity = validityAt;
    capacityRows = rows;
    repeats = false;
  }

  /** Forgets all rows, and gives the memory back. */
  public void release() {
    dropAdopted();
    if (capacityRows > 0) {
      memory.free(block);
      capacityRows = 0;
    }
  }

  /**
   * All results of the current batch are in a slab of a device, which this column has in the place
   * of its own memory once the job {@linkplain #takeAdopted is over}: until then other threads may
   * have its addresses. The device's thread, inside the job; what it adopts last counts.
   */
  public void adopt(Slab slab, long newValues, long newValidity, int rows) {
    memory.adopt(slab);
    dropAdopted();
    adopted = new Adopted(slab, newValues, newValidity, rows);
  }

  /** The job is over: its results are those that were adopted, if any were. Task thread. */
  public void takeAdopted() {
    Adopted taken = adopted;
    if (taken != null) {
      adopted = null;
      memory.free(block);
      block = taken.slab().address();
      values = taken.values();
      validity = taken.validity();
      capacityRows = taken.rows();
    }
  }

  private void dropAdopted() {
    Adopted dropped = adopted;
    if (dropped != null) {
      adopted = null;
      memory.free(dropped.slab().address());
    }
  }

  /** The slab that a row's value, or what it points to, is in with so many bytes; or null. */
  public Slab slabAt(long address, long bytes) {
    return memory.slabAt(address, bytes);
  }

  /** Forgets the first of so many rows; the others move up. */
  public void dropFirst(int count, int rows) {
    int left = rows - count;
    long before = block;
    long fromValues = valueAddress(count);
    long fromValidity = validityAddress(count);
    boolean lent = memory.isLent(block);
    if (lent) { // half of one pair and half of another would be a place that is none
      long address = memory.allocateUnasked((long) capacityRows * bytesPerRow());
      place(address, address, address + (long) capacityRows * type.width, capacityRows);
    }
    Platform.copyMemory(null, fromValues, null, values, (long) left * type.width);
    Platform.copyMemory(null, fromValidity, null, validity, left);
    if (lent) {
      memory.free(before);
    }
  }

  public ColumnType type() {
    return type;
  }

  public int capacityRows() {
    return capacityRows;
  }

  /** Bytes that a row takes in a column of this type, without variable-width data. */
  public int bytesPerRow() {
    return type.width + 1;
  }

  /**
   * Bytes that a row takes on average, its variable-width data included, as some of so many rows
   * say. What rows share counts once.
   */
  public double sampledBytesPerRow(int rows) {
    return bytesPerRow() + (type.isVariableWidth() ? ColumnSample.dataBytesPerRow(this, rows) : 0);
  }

  /** Every row null: how a result column begins a job. */
  public void setAllNull(int rows) {
    dropAdopted();
    Platform.setMemory(null, validity, rows, (byte) 0);
    mayHaveNulls = true;
  }

  /** Gives all rows up to the capacity what row 0 holds. */
  public void repeatFirst() {
    repeatFirst(capacityRows);
  }

  /** Gives so many rows what row 0 holds, by copies that double. */
  void repeatFirst(int rows) {
    for (int done = 1; done < rows; done *= 2) {
      long bytes = (long) type.width * Math.min(done, rows - done);
      Platform.copyMemory(null, values, null, valueAddress(done), bytes);
    }
    Platform.setMemory(null, validity, rows, Platform.getByte(null, validity));
    repeats = true;
  }

  /** Rows get values of their own. */
  void dontRepeat() {
    repeats = false;
  }

  /** Whether they hold it by {@link #repeatFirst}, so that a copy of row 0 is one of all. */
  public boolean repeats() {
    return repeats;
  }

  /** Every row valid, until a row is set null. */
  public void setAllValid(int from, int until) {
    Platform.setMemory(null, validity + from, until - from, VALID);
  }

  public void setMayHaveNulls(boolean may) {
    mayHaveNulls = may;
  }

  public boolean mayHaveNulls() {
    return mayHaveNulls;
  }

  public boolean isNull(int row) {
    return Platform.getByte(null, validity + row) == 0;
  }

  void setNull(int row) {
    Platform.putByte(null, validity + row, (byte) 0);
  }

  void setValid(int row) {
    Platform.putByte(null, validity + row, VALID);
  }

  /** Address of a row's value; those of later rows follow. Valid until the column grows. */
  public long valueAddress(int row) {
    return values + (long) row * type.width;
  }

  /** Address of a row's validity byte; those of later rows follow. */
  public long validityAddress(int row) {
    return validity + row;
  }

  public boolean getBoolean(int row) {
    return Platform.getByte(null, values + row) != 0;
  }

  public byte getByte(int row) {
    return Platform.getByte(null, values + row);
  }

  public short getShort(int row) {
    return Platform.getShort(null, values + 2L * row);
  }

  public int getInt(int row) {
    return Platform.getInt(null, values + 4L * row);
  }

  public long getLong(int row) {
    return Platform.getLong(null, values + 8L * row);
  }

  public float getFloat(int row) {
    return Platform.getFloat(null, values + 4L * row);
  }

  public double getDouble(int row) {
    return Platform.getDouble(null, values + 8L * row);
  }

  /** A row's value as text, for error messages. */
  public String describe(int row) {
    if (isNull(row)) {
      return "null";
    }
    Object value =
        switch (type) {
          case BOOLEAN -> getBoolean(row);
          case BYTE -> getByte(row);
          case SHORT -> getShort(row);
          case INT -> getInt(row);
          case LONG -> getLong(row);
          case FLOAT -> getFloat(row);
          case DOUBLE -> getDouble(row);
          case BYTES -> dataType instanceof BinaryType ? getCatalystValue(row) : getUtf8(row);
          case ARRAY -> getCatalystValue(row);
        };
    return CatalystText.of(value, dataType);
  }

  /** The bytes of a row as a string that points to them; valid as long as the batch. */
  public UTF8String getUtf8(int row) {
    return UTF8String.fromAddress(null, dataAddress(row), dataBytes(row));
  }

  /**
   * A row of binaries as {@code byte[]}, or of arrays as {@code UnsafeArrayData} that points to
   * them.
   */
  public Object getCatalystValue(int row) {
    if (type == ColumnType.ARRAY) {
      UnsafeArrayData array = new UnsafeArrayData();
      array.pointTo(null, dataAddress(row), dataBytes(row));
      return array;
    }
    byte[] bytes = new byte[dataBytes(row)];
    OffHeap.copyTo(dataAddress(row), bytes, bytes.length);
    return bytes;
  }

  void putBoolean(int row, boolean value) {
    Platform.putByte(null, values + row, value ? (byte) 1 : (byte) 0);
  }

  void putByte(int row, byte value) {
    Platform.putByte(null, values + row, value);
  }

  void putShort(int row, short value) {
    Platform.putShort(null, values + 2L * row, value);
  }

  void putInt(int row, int value) {
    Platform.putInt(null, values + 4L * row, value);
  }

  void putLong(int row, long value) {
    Platform.putLong(null, values + 8L * row, value);
  }

  void putFloat(int row, float value) {
    Platform.putFloat(null, values + 4L * row, value);
  }

  void putDouble(int row, double value) {
    Platform.putDouble(null, values + 8L * row, value);
  }

  /** Address of a row's variable-width data. */
  public long dataAddress(int row) {
    return Platform.getLong(null, values + 16L * row);
  }

  /** Size of a row's variable-width data, in bytes. */
  public int dataBytes(int row) {
    return Platform.getInt(null, values + 16L * row + 8);
  }

  void putData(int row, long address, int bytes) {
    Platform.putLong(null, values + 16L * row, address);
    Platform.putInt(null, values + 16L * row + 8, bytes);
  }
}
