package io.github.sparkgpusched.columnar;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
  /** String or binary: an (address, size) pair per row. */
  BYTES(16),
  /** Array of a fixed-width type: an (address, size) pair per row. */
  ARRAY(16);

  /** A SQL type whose values all have one size, its name in messages, and its layout. */
  private record FixedWidth(Class<? extends DataType> sqlType, String name, ColumnType layout) {}

  /** In the order of messages. Constant. */
  private static final List<FixedWidth> FIXED_WIDTHS =
      List.of(
          new FixedWidth(BooleanType.class, "boolean", BOOLEAN),
          new FixedWidth(ByteType.class, "byte", BYTE),
          new FixedWidth(ShortType.class, "short", SHORT),
          new FixedWidth(IntegerType.class, "int", INT),
          new FixedWidth(LongType.class, "long", LONG),
          new FixedWidth(FloatType.class, "float", FLOAT),
          new FixedWidth(DoubleType.class, "double", DOUBLE),
          new FixedWidth(DateType.class, "date", INT),
          new FixedWidth(TimestampType.class, "timestamp", LONG));

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

  /** The names of all types of arguments, for messages. */
  public static String argumentTypes() {
    return fixedWidthTypes() + ", string, binary, and arrays of the fixed-width ones";
  }

  /** The names of all types of results, for messages. */
  public static String resultTypes() {
    return fixedWidthTypes() + ", string";
  }

  private static String fixedWidthTypes() {
    return FIXED_WIDTHS.stream().map(FixedWidth::name).collect(Collectors.joining(", "));
  }

  /** The layout of a SQL type whose values all have one size, or empty. */
  public static Optional<ColumnType> ofFixedWidth(DataType type) {
    for (FixedWidth fixed : FIXED_WIDTHS) {
      if (fixed.sqlType().isInstance(type)) {
        return Optional.of(fixed.layout());
      }
    }
    return Optional.empty();
  }
}
