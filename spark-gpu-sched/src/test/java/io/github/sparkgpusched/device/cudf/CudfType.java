package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.ListType;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A type of cuDF's columns: a value of it by chance, a column of values, and the values of a
 * column, each by cuDF's own classes.
 */
record CudfType(
    String name,
    Function<Random, Object> random,
    Function<List<Object>, ColumnVector> column,
    Value value) {
  /** The value in a row that is not null. */
  interface Value {
    Object of(HostColumnVector column, int row);
  }

  private static final CudfType BOOL8 =
      new CudfType(
          "BOOL8",
          Random::nextBoolean,
          values -> ColumnVector.fromBoxedBooleans(values.toArray(Boolean[]::new)),
          HostColumnVector::getBoolean);

  private static final CudfType INT8 =
      new CudfType(
          "INT8",
          random -> (byte) random.nextInt(),
          values -> ColumnVector.fromBoxedBytes(values.toArray(Byte[]::new)),
          HostColumnVector::getByte);

  private static final CudfType INT16 =
      new CudfType(
          "INT16",
          random -> (short) random.nextInt(),
          values -> ColumnVector.fromBoxedShorts(values.toArray(Short[]::new)),
          HostColumnVector::getShort);

  static final CudfType INT32 =
      new CudfType(
          "INT32",
          Random::nextInt,
          values -> ColumnVector.fromBoxedInts(values.toArray(Integer[]::new)),
          HostColumnVector::getInt);

  private static final CudfType INT64 =
      new CudfType(
          "INT64",
          Random::nextLong,
          values -> ColumnVector.fromBoxedLongs(values.toArray(Long[]::new)),
          HostColumnVector::getLong);

  private static final CudfType FLOAT32 =
      new CudfType(
          "FLOAT32",
          Random::nextFloat,
          values -> ColumnVector.fromBoxedFloats(values.toArray(Float[]::new)),
          HostColumnVector::getFloat);

  private static final CudfType FLOAT64 =
      new CudfType(
          "FLOAT64",
          Random::nextDouble,
          values -> ColumnVector.fromBoxedDoubles(values.toArray(Double[]::new)),
          HostColumnVector::getDouble);

  private static final CudfType TIMESTAMP_DAYS =
      new CudfType(
          "TIMESTAMP_DAYS",
          Random::nextInt,
          values -> ColumnVector.timestampDaysFromBoxedInts(values.toArray(Integer[]::new)),
          HostColumnVector::getInt);

  private static final CudfType TIMESTAMP_MICROSECONDS =
      new CudfType(
          "TIMESTAMP_MICROSECONDS",
          Random::nextLong,
          values -> ColumnVector.timestampMicroSecondsFromBoxedLongs(values.toArray(Long[]::new)),
          HostColumnVector::getLong);

  static final CudfType STRING =
      new CudfType(
          "STRING",
          CudfType::text,
          values -> ColumnVector.fromStrings(values.toArray(String[]::new)),
          HostColumnVector::getJavaString);

  /**
   * All that the plugin's types are in RAPIDS. Binary values are lists of bytes, of either sign.
   */
  static List<CudfType> all() {
    return Stream.concat(
            Stream.of(STRING, list(DType.UINT8, INT8)),
            Stream.of(
                    BOOL8,
                    INT8,
                    INT16,
                    INT32,
                    INT64,
                    FLOAT32,
                    FLOAT64,
                    TIMESTAMP_DAYS,
                    TIMESTAMP_MICROSECONDS)
                .flatMap(
                    type ->
                        Stream.of(
                            type, list(DType.create(DType.DTypeEnum.valueOf(type.name())), type))))
        .toList();
  }

  /** Of a few elements, or none. */
  @SuppressWarnings("unchecked")
  static CudfType list(DType element, CudfType like) {
    ListType type = new ListType(true, new BasicType(true, element));
    return new CudfType(
        "LIST of " + element,
        random ->
            IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> like.random().apply(random))
                .toList(),
        values -> ColumnVector.fromLists(type, values.toArray(List[]::new)),
        (column, row) -> column.getList(row));
  }

  /** Of no, one, and more bytes a character. */
  private static String text(Random random) {
    String letters = "aZ09é\u4e2d\ud83d\ude00".substring(0, random.nextBoolean() ? 5 : 8);
    return letters.repeat(random.nextInt(3));
  }

  /** Values by chance, with nulls or without. */
  List<Object> values(int rows, boolean withNulls, long seed) {
    Random random = new Random(seed);
    return IntStream.range(0, rows)
        .mapToObj(row -> withNulls && random.nextInt(5) == 0 ? null : this.random.apply(random))
        .toList();
  }

  ColumnVector columnOf(List<Object> values) {
    return column.apply(values);
  }

  List<Object> valuesOf(ColumnVector vector) {
    try (HostColumnVector host = vector.copyToHost()) {
      return IntStream.range(0, (int) host.getRowCount())
          .mapToObj(row -> host.isNull(row) ? null : value.of(host, row))
          .toList();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
