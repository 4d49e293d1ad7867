package io.github.sparkgpusched.sql;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

  private static final StructType SCHEMA =
      new StructType()
          .add("executorId", DataTypes.StringType, false)
          .add("device", DataTypes.StringType, false)
          .add("state", DataTypes.StringType, false)
          .add("queueDepth", DataTypes.LongType, false)
          .add("capacity", DataTypes.LongType, false)
          .add("inFlight", DataTypes.LongType, false)
          .add("rows", DataTypes.LongType, false)
          .add("blocks", DataTypes.LongType, false)
          .add("stealRequests", DataTypes.LongType, false)
          .add("steals", DataTypes.LongType, false)
          .add("failures", DataTypes.LongType, false)
          .add("busyMillis", DataTypes.LongType, false)
          .add("idleMillis", DataTypes.LongType, false)
          .add("stalledMillis", DataTypes.LongType, true)
          .add("offers", DataTypes.LongType, true)
          .add("freeBytes", DataTypes.LongType, true)
          .add("usedBytes", DataTypes.LongType, true)
          .add("ageMillis", DataTypes.LongType, false);

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

  private static Row row(LoadView.Device device) {
    DeviceLoad d = device.load();
    return RowFactory.create(
        device.executorId(),
        d.device(),
        device.ended() ? "ended" : ApplicationLoad.stateName(d),
        d.queueDepth(),
        (long) d.capacity(),
        (long) d.inFlight(),
        d.rows(),
        d.blocks(),
        d.stealRequests(),
        d.steals(),
        d.failures(),
        millis(d.busyNanos()),
        millis(d.idleNanos()),
        d.stalledNanos() == null ? null : millis(d.stalledNanos()),
        d.offers(),
        d.freeBytes(),
        d.usedBytes(),
        device.ageMillis());
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
