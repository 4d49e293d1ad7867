package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Copies ranges of Spark's vectors into a batch column, in bulk where the type allows. Task thread
 * only.
 */
public final class VectorCopier {
  private final BatchColumn into;
  private final ValueHeap heap;

  public VectorCopier(BatchColumn into, BatchMemory memory) {
    this.into = into;
    this.heap = new ValueHeap(memory);
  }

  /** Bytes of variable-width data copied for the current batch. */
  public long dataBytes() {
    return heap.usedBytes();
  }

  /** Forgets the batch before. */
  public void beginBatch() {
    heap.reset();
    into.setMayHaveNulls(false);
  }

  /** Forgets the variable-width data, and gives its memory back. */
  public void release() {
    heap.release();
  }

  /** Copies rows {@code [start, start + count)} of a vector to rows {@code [at, at + count)}. */
  public void copy(ColumnVector from, int start, int at, int count) throws BatchMemory.Refused {
    into.setAllValid(at, at + count);
    if (from.hasNull()) {
      copyWithNulls(from, start, at, count);
    } else if (into.type == ColumnType.BYTES || into.type == ColumnType.ARRAY) {
      for (int i = 0; i < count; i++) {
        copyData(from, start + i, at + i);
      }
    } else if (from instanceof OnHeapColumnVector onHeap) {
      copyOnHeap(onHeap, start, at, count);
    } else {
      copyBulk(from, start, at, count);
    }
  }

  /**
   * Parquet's vectors value by value: of a class that is known, the JIT compiler makes a copy loop
   * that takes a fifth of the time of {@link #copyBulk}, which fills a new array first.
   */
  private void copyOnHeap(OnHeapColumnVector from, int start, int at, int count) {
    long target = into.valueAddress(at);
    switch (into.type) {
      case BOOLEAN -> {
        for (int i = 0; i < count; i++) {
          Platform.putBoolean(null, target + i, from.getBoolean(start + i));
        }
      }
      case BYTE -> {
        for (int i = 0; i < count; i++) {
          Platform.putByte(null, target + i, from.getByte(start + i));
        }
      }
      case SHORT -> {
        for (int i = 0; i < count; i++) {
          Platform.putShort(null, target + 2L * i, from.getShort(start + i));
        }
      }
      case INT -> {
        for (int i = 0; i < count; i++) {
          Platform.putInt(null, target + 4L * i, from.getInt(start + i));
        }
      }
      case LONG -> {
        for (int i = 0; i < count; i++) {
          Platform.putLong(null, target + 8L * i, from.getLong(start + i));
        }
      }
      case FLOAT -> {
        for (int i = 0; i < count; i++) {
          Platform.putFloat(null, target + 4L * i, from.getFloat(start + i));
        }
      }
      case DOUBLE -> {
        for (int i = 0; i < count; i++) {
          Platform.putDouble(null, target + 8L * i, from.getDouble(start + i));
        }
      }
      case BYTES, ARRAY -> throw new AssertionError(into.type);
    }
  }

  /** Any vector, by its own bulk methods: not a virtual call a row. */
  private void copyBulk(ColumnVector from, int start, int at, int count) {
    long target = into.valueAddress(at);
    switch (into.type) {
      case BOOLEAN -> {
        boolean[] values = from.getBooleans(start, count);
        Platform.copyMemory(values, Platform.BOOLEAN_ARRAY_OFFSET, null, target, count);
      }
      case BYTE -> OffHeap.copyFrom(from.getBytes(start, count), 0, target, count);
      case SHORT ->
          Platform.copyMemory(
              from.getShorts(start, count), Platform.SHORT_ARRAY_OFFSET, null, target, 2L * count);
      case INT ->
          Platform.copyMemory(
              from.getInts(start, count), Platform.INT_ARRAY_OFFSET, null, target, 4L * count);
      case LONG ->
          Platform.copyMemory(
              from.getLongs(start, count), Platform.LONG_ARRAY_OFFSET, null, target, 8L * count);
      case FLOAT ->
          Platform.copyMemory(
              from.getFloats(start, count), Platform.FLOAT_ARRAY_OFFSET, null, target, 4L * count);
      case DOUBLE ->
          Platform.copyMemory(
              from.getDoubles(start, count),
              Platform.DOUBLE_ARRAY_OFFSET,
              null,
              target,
              8L * count);
      case BYTES, ARRAY -> throw new AssertionError(into.type);
    }
  }

  private void copyWithNulls(ColumnVector from, int start, int at, int count)
      throws BatchMemory.Refused {
    for (int i = start; i < start + count; i++) {
      int row = at + i - start;
      if (from.isNullAt(i)) {
        into.setNull(row);
        into.setMayHaveNulls(true);
        continue;
      }
      switch (into.type) {
        case BOOLEAN -> into.putBoolean(row, from.getBoolean(i));
        case BYTE -> into.putByte(row, from.getByte(i));
        case SHORT -> into.putShort(row, from.getShort(i));
        case INT -> into.putInt(row, from.getInt(i));
        case LONG -> into.putLong(row, from.getLong(i));
        case FLOAT -> into.putFloat(row, from.getFloat(i));
        case DOUBLE -> into.putDouble(row, from.getDouble(i));
        case BYTES, ARRAY -> copyData(from, i, row);
      }
    }
  }

  private void copyData(ColumnVector from, int i, int row) throws BatchMemory.Refused {
    if (into.type == ColumnType.ARRAY) {
      heap.putArray(into, row, from.getArray(i));
    } else if (into.dataType instanceof BinaryType) {
      byte[] bytes = from.getBinary(i);
      heap.put(into, row, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
    } else {
      UTF8String string = from.getUTF8String(i);
      heap.put(into, row, string.getBaseObject(), string.getBaseOffset(), string.numBytes());
    }
  }
}
