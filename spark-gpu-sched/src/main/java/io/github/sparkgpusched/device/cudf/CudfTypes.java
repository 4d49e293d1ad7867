package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.DType;
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

/** cuDF's types of results. */
final class CudfTypes {
  private CudfTypes() {}

  /** That of a SQL type which a call may return. */
  static DType of(DataType type) {
    if (type instanceof BooleanType) {
      return DType.BOOL8;
    } else if (type instanceof ByteType) {
      return DType.INT8;
    } else if (type instanceof ShortType) {
      return DType.INT16;
    } else if (type instanceof IntegerType) {
      return DType.INT32;
    } else if (type instanceof LongType) {
      return DType.INT64;
    } else if (type instanceof FloatType) {
      return DType.FLOAT32;
    } else if (type instanceof DoubleType) {
      return DType.FLOAT64;
    } else if (type instanceof DateType) {
      return DType.TIMESTAMP_DAYS;
    } else if (type instanceof TimestampType) {
      return DType.TIMESTAMP_MICROSECONDS;
    } else if (type instanceof StringType) {
      return DType.STRING;
    }
    throw new IllegalArgumentException(type.simpleString() + " is no type of a result");
  }
}
