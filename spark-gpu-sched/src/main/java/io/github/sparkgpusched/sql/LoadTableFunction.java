package io.github.sparkgpusched.sql;

import io.github.sparkgpusched.load.LoadColumn;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.types.DataTypeUtils$;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * The table function {@value #NAME}: the application's load table at the time when a query that
 * names it is analysed.
 */
final class LoadTableFunction extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
  static final String NAME = "gpusched_load";

  private static final StructType SCHEMA = schema();

  private LoadTableFunction() {}

  /** What {@code SparkSessionExtensions.injectTableFunction} takes. */
  static Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, LogicalPlan>>
      description() {
    return new Tuple3<>(
        new FunctionIdentifier(NAME, Option.empty()),
        new ExpressionInfo(LoadTableFunction.class.getName(), NAME),
        new LoadTableFunction());
  }

  @Override
  public LogicalPlan apply(Seq<Expression> arguments) {
    if (!arguments.isEmpty()) {
      throw new IllegalArgumentException(
          NAME + "() takes no arguments, but was given " + arguments.length());
    }
    return LocalRelation.fromExternalRows(
        Scala.map(DataTypeUtils$.MODULE$.toAttributes(SCHEMA), Attribute::toAttribute),
        Scala.seq(rows()));
  }

  private static List<Row> rows() {
    return DriverRuntime.current()
        .map(driver -> driver.load().devices(System.nanoTime()))
        .orElse(List.of())
        .stream()
        .map(LoadTableFunction::row)
        .toList();
  }

  private static StructType schema() {
    StructType schema = new StructType();
    for (LoadColumn column : LoadColumn.ALL) {
      schema =
          schema.add(
              column.name(),
              column.isText() ? DataTypes.StringType : DataTypes.LongType,
              column.nullable());
    }
    return schema;
  }

  private static Row row(LoadView.Device device) {
    return RowFactory.create(
        LoadColumn.ALL.stream().map(column -> column.value().apply(device)).toArray());
  }
}
