package io.github.sparkgpusched.device.host;

import java.util.Optional;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;

/** The classes that box a SQL type as it is, for generated code. */
public enum Boxes {
  BOOLEAN("Boolean", "boolean"),
  BYTE("Byte", "byte"),
  SHORT("Short", "short"),
  INT("Integer", "int"),
  LONG("Long", "long"),
  FLOAT("Float", "float"),
  DOUBLE("Double", "double");

  private final String box;
  private final String primitive;

  Boxes(String box, String primitive) {
    this.box = box;
    this.primitive = primitive;
  }

  /** The box of a type, or empty if Spark converts the type. */
  public static Optional<Boxes> of(DataType type) {
    if (type instanceof BooleanType) {
      return Optional.of(BOOLEAN);
    } else if (type instanceof ByteType) {
      return Optional.of(BYTE);
    } else if (type instanceof ShortType) {
      return Optional.of(SHORT);
    } else if (type instanceof IntegerType) {
      return Optional.of(INT);
    } else if (type instanceof LongType) {
      return Optional.of(LONG);
    } else if (type instanceof FloatType) {
      return Optional.of(FLOAT);
    } else if (type instanceof DoubleType) {
      return Optional.of(DOUBLE);
    }
    return Optional.empty();
  }

  /** An expression that boxes a primitive value. */
  public String boxed(String value) {
    return "%s.valueOf(%s)".formatted(box, value);
  }

  /** An expression that unboxes an object, and fails with a {@code ClassCastException}. */
  public String unboxed(String object) {
    return "((%s) %s).%sValue()".formatted(box, object, primitive);
  }

  /** What getters and setters of columns call the primitive: {@code Int}. */
  String accessor() {
    return primitive.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + primitive.substring(1);
  }
}
