package io.github.sparkgpusched.sql;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadColumn;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.types.DataTypeUtils$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * A table function of what the driver knows of the application's load, at the time when a query
 * that names it is analysed.
 *
 * @param <T> what a row is of
 */
final class LoadTableFunction<T> extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
  private static final Map<Class<?>, DataType> TYPES =
      Map.of(
          String.class,
          DataTypes.StringType,
          Long.class,
          DataTypes.LongType,
          Double.class,
          DataTypes.DoubleType);

  private final String name;
  private final List<LoadColumn<T>> columns;
  private final Function<ApplicationLoad, List<T>> rows;

  private LoadTableFunction(
      String name, List<LoadColumn<T>> columns, Function<ApplicationLoad, List<T>> rows) {
    this.name = name;
    this.columns = columns;
    this.rows = rows;
  }

  /** All of them, as {@code SparkSessionExtensions.injectTableFunction} takes each. */
  static List<Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, LogicalPlan>>>
      descriptions() {
    return List.of(
        new LoadTableFunction<>(
                "gpusched_load", LoadColumn.OF_DEVICES, load -> load.devices(System.nanoTime()))
            .description(),
        new LoadTableFunction<>(
                "gpusched_queries", LoadColumn.OF_QUERIES, LoadTableFunction::queries)
            .description());
  }

  /**
   * Any session may ask, and who asks is not known as a query is analysed: where Spark has view
   * ACLs, what they are to hide is not told.
   */
  private static List<QueryLoad> queries(ApplicationLoad load) {
    List<QueryLoad> all = load.queries(System.nanoTime(), System.currentTimeMillis());
    return SparkEnv.get().securityManager().aclsEnabled()
        ? all.stream().map(QueryLoad::withoutTexts).toList()
        : all;
  }

  private Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, LogicalPlan>>
      description() {
    return new Tuple3<>(
        new FunctionIdentifier(name, Option.empty()),
        new ExpressionInfo(LoadTableFunction.class.getName(), name),
        this);
  }

  @Override
  public LogicalPlan apply(Seq<Expression> arguments) {
    if (!arguments.isEmpty()) {
      throw new IllegalArgumentException(
          name + "() takes no arguments, but was given " + arguments.length());
    }
    List<Row> found =
        DriverRuntime.current().map(driver -> rows.apply(driver.load())).orElse(List.of()).stream()
            .map(this::row)
            .toList();
    return LocalRelation.fromExternalRows(
        Scala.map(DataTypeUtils$.MODULE$.toAttributes(schema()), Attribute::toAttribute),
        Scala.seq(found));
  }

  private StructType schema() {
    StructType schema = new StructType();
    for (LoadColumn<T> column : columns) {
      schema = schema.add(column.name(), TYPES.get(column.type()), column.nullable());
    }
    return schema;
  }

  private Row row(T of) {
    return RowFactory.create(columns.stream().map(column -> column.value().apply(of)).toArray());
  }
}
