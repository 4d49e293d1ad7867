package io.github.sparkgpusched.device.cudf;

import static io.github.sparkgpusched.device.cudf.ColumnCallScenarios.require;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import io.github.sparkgpusched.device.UdfCall;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A call and its columns, of values by chance; closed by who made it. */
final class CallBatch implements AutoCloseable {
  final TypeCase type;
  final int rows;
  final List<List<Object>> values = new ArrayList<>();
  final List<ColumnVector> columns = new ArrayList<>();
  final ColumnCall call;

  /** Rows that the Java form computed. */
  int byJava;

  CallBatch(TypeCase type, int rows, int nulls, long seed) {
    this.type = type;
    this.rows = rows;
    Random random = new Random(seed);
    for (DataType argument : type.arguments()) {
      List<Object> some = Values.some(argument, rows, nulls, random);
      values.add(some);
      columns.add(Values.column(argument, some));
    }
    UdfCall udf = type.call();
    call = new ColumnCall(udf, type, this::compute, inner -> {});
  }

  /** Of some of another's rows. */
  private CallBatch(CallBatch whole, int from, int until) {
    type = whole.type;
    rows = until - from;
    for (int i = 0; i < whole.values.size(); i++) {
      values.add(whole.values.get(i).subList(from, until));
      columns.add(whole.columns.get(i).subVector(from, until));
    }
    call = new ColumnCall(type.call(), type, this::compute, inner -> {});
  }

  CallBatch part(int from, int until) {
    return new CallBatch(this, from, until);
  }

  /** This one's rows twice, in columns that cuDF has put together. */
  CallBatch twice() {
    return new CallBatch(this);
  }

  private CallBatch(CallBatch half) {
    type = half.type;
    rows = 2 * half.rows;
    for (int i = 0; i < half.values.size(); i++) {
      List<Object> all = new ArrayList<>(half.values.get(i));
      all.addAll(half.values.get(i));
      values.add(all);
      columns.add(ColumnVector.concatenate(half.columns.get(i), half.columns.get(i)));
    }
    call = new ColumnCall(type.call(), type, this::compute, inner -> {});
  }

  private Object compute(Object[] arguments) {
    byJava++;
    Object[] given = new Object[arguments.length];
    for (int i = 0; i < given.length; i++) {
      given[i] = plain(arguments[i]);
    }
    return fromPlain(type.expected(given));
  }

  /** Spark's own objects for UDFs to those of {@link TypeCase}. */
  private static Object plain(Object value) {
    if (value instanceof java.sql.Date date) {
      return (int) date.toLocalDate().toEpochDay();
    } else if (value instanceof java.sql.Timestamp time) {
      return time.toInstant().getEpochSecond() * 1_000_000 + time.getNanos() / 1000;
    }
    if (!(value instanceof Seq<?> seq)) {
      return value;
    }
    List<Object> elements = new ArrayList<>();
    CollectionConverters.asJava(seq).forEach(element -> elements.add(plain(element)));
    return elements;
  }

  private Object fromPlain(Object value) {
    return switch (type.result().typeName()) {
      case "date" ->
          value == null ? null : java.sql.Date.valueOf(LocalDate.ofEpochDay((Integer) value));
      case "timestamp" ->
          value == null
              ? null
              : java.sql.Timestamp.from(Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS));
      default -> value;
    };
  }

  ColumnVector evaluate() {
    return call.evaluate(rows, columns.toArray(ColumnVector[]::new));
  }

  /** Evaluates, and compares each row; gives the rows that the Java form computed. */
  int check() {
    byJava = 0;
    try (ColumnVector result = evaluate();
        HostColumnVector host = result.copyToHost()) {
      require(result.getRowCount() == rows, "%s gave %d rows", this, result.getRowCount());
      int nulls = 0;
      for (int row = 0; row < rows; row++) {
        Object[] arguments = new Object[values.size()];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = values.get(i).get(row);
        }
        Object expected = type.expected(arguments);
        Object actual = HostValues.get(host, type.result(), row);
        nulls += expected == null ? 1 : 0;
        String text = actual == null ? null : actual.toString();
        require(
            Objects.equals(expected == null ? null : expected.toString(), text),
            "%s, row %d: %s instead of %s",
            this,
            row,
            text,
            expected);
      }
      require(result.getNullCount() == nulls, "%s has %d nulls", this, result.getNullCount());
    }
    return byJava;
  }

  @Override
  public void close() {
    columns.forEach(ColumnVector::close);
  }

  @Override
  public String toString() {
    return type.function() + " of " + rows + " rows";
  }
}
