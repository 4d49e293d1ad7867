package io.github.sparkgpusched.columnar;

import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;

/** How a column is laid out; the SQL types that a batch can hold. */
public enum ColumnType {
  BOOLEAN(1),
  BYTE(1),
  SHORT(2),
  INT(4),
  LONG(8),
  FLOAT(4),
  DOUBLE(8),
  /** String or binary: an (address, size) pair a row. */
  BYTES(16),
  /** Array of a fixed-width type: an (address, size) pair a row. */
  ARRAY(16);

  final int width;

  ColumnType(int width) {
    this.width = width;
  }

  /** Bytes of a row's value. */
  public int width() {
    return width;
  }

  public boolean isVariableWidth() {
    return this == BYTES || this == ARRAY;
  }

  /** The layout of an argument of a SQL type, or empty if batches cannot hold the type. */
  public static Optional<ColumnType> ofArgument(DataType type) {
    Optional<ColumnType> fixed = ofFixedWidth(type);
    if (fixed.isPresent()) {
      return fixed;
    }
    if (type instanceof StringType || type instanceof BinaryType) {
      return Optional.of(BYTES);
    }
    if (type instanceof ArrayType array && ofFixedWidth(array.elementType()).isPresent()) {
      return Optional.of(ARRAY);
    }
    return Optional.empty();
  }

  /**
   * The layout of a result of a SQL type, or empty if a batched function cannot return the type.
   */
  public static Optional<ColumnType> ofResult(DataType type) {
    return type instanceof StringType ? Optional.of(BYTES) : ofFixedWidth(type);
  }

  /** The layout of a SQL type whose values all have one size, or empty. */
  public static Optional<ColumnType> ofFixedWidth(DataType type) {
    if (type instanceof BooleanType) {
      return Optional.of(BOOLEAN);
    } else if (type instanceof ByteType) {
      return Optional.of(BYTE);
    } else if (type instanceof ShortType) {
      return Optional.of(SHORT);
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return Optional.of(INT);
    } else if (type instanceof LongType || type instanceof TimestampType) {
      return Optional.of(LONG);
    } else if (type instanceof FloatType) {
      return Optional.of(FLOAT);
    } else if (type instanceof DoubleType) {
      return Optional.of(DOUBLE);
    }
    return Optional.empty();
  }
}
