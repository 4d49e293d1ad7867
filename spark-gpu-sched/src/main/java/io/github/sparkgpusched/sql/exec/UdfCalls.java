package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.config.StrategyKeys;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfPattern;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import io.github.sparkgpusched.sql.plan.GpuCalls;
import io.github.sparkgpusched.sql.plan.Scala;
import io.github.sparkgpusched.sql.plan.SessionConfig;
import io.github.sparkgpusched.sql.plan.Travel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/**
 * The calls of a physical node: each a {@link ScalaUDF}, with a guard and an attribute for its
 * result, and the child's columns that are passed on beside them, as in {@link BatchedUdfs}.
 */
record UdfCalls(
    Seq<Expression> calls, Seq<Expression> guards, Seq<Attribute> results, Seq<Attribute> passed)
    implements Serializable {
  int count() {
    return calls.length();
  }

  ScalaUDF call(int i) {
    return (ScalaUDF) calls.apply(i);
  }

  /** An attribute, or the literal true. */
  Expression guard(int i) {
    return guards.apply(i);
  }

  /** The node's columns. */
  Seq<Attribute> output() {
    return Scala.concat(passed, results);
  }

  AttributeSet resultSet() {
    return Scala.set(results);
  }

  /** The input's columns that arguments and guards read. */
  AttributeSet read() {
    return references(calls).$plus$plus(references(guards));
  }

  /** All that expressions read. */
  static AttributeSet references(Seq<Expression> expressions) {
    return AttributeSet$.MODULE$.fromAttributeSets(Scala.map(expressions, Expression::references));
  }

  String describe() {
    return BatchedUdfs.describe(calls, guards, results);
  }

  /** The same call for whatever computes it. */
  UdfCall udfCall(int i) {
    List<DataType> types =
        Scala.<Expression>list(call(i).children()).stream().map(Expression::dataType).toList();
    return new UdfCall(GpuCalls.name(call(i)), types, call(i).dataType());
  }

  /**
   * What tasks need to know.
   *
   * @param inputs the columns that batches are filled with
   * @param plan a hash of the node that is the same whenever the same query is planned again
   */
  BatchSpec.Builder spec(
      List<Attribute> inputs, SQLConf conf, SparkContext context, BatchMetrics metrics, int plan) {
    GpuSchedConfig config = SessionConfig.of(conf);
    List<CallSpec> specs = new ArrayList<>();
    StringJoiner functions = new StringJoiner(" ");
    for (int i = 0; i < count(); i++) {
      CallSpec spec = callSpec(i, inputs, conf);
      functions
          .add(spec.call().name())
          .add(GpuCalls.udf(call(i)).getClass().getName())
          .add(spec.call().argumentTypes().toString());
      specs.add(spec);
    }
    BatchSpec.Builder spec = new BatchSpec.Builder();
    spec.calls = specs;
    spec.inputTypes = new ArrayList<>(inputs.stream().map(Attribute::dataType).toList());
    spec.passed =
        new ArrayList<>(
            Scala.<Attribute>list(passed).stream().map(column -> ordinal(column, inputs)).toList());
    spec.batchRows = config.get(QueryKeys.BATCH_ROWS);
    spec.batchBytes = config.get(QueryKeys.BATCH_BYTES);
    spec.functions = functions.toString();
    spec.plan = plan;
    spec.weight = PoolWeight.of(context) * Math.scalb(1.0, config.get(QueryKeys.PRIORITY));
    spec.strategy = config.get(StrategyKeys.STRATEGY);
    spec.metrics = metrics;
    spec.load = LoadAccumulator.ofQuery(context);
    spec.surfaced = config.get(UiKeys.ENABLED);
    String query = context.getLocalProperty("spark.sql.execution.id");
    if (query != null) {
      List<String> udfs = specs.stream().map(call -> call.call().name()).distinct().toList();
      DriverRuntime.current().ifPresent(driver -> driver.computes(Long.parseLong(query), udfs));
    }
    return spec;
  }

  private CallSpec callSpec(int i, List<Attribute> inputs, SQLConf conf) {
    ScalaUDF call = call(i);
    List<CallSpec.Argument> arguments = new ArrayList<>();
    for (Expression argument : Scala.<Expression>list(call.children())) {
      arguments.add(
          argument instanceof Literal literal
              ? new CallSpec.Argument(-1, literal)
              : new CallSpec.Argument(ordinal(argument, inputs), null));
    }
    CallSpec.Builder one = new CallSpec.Builder();
    one.udf = new UdfPattern(GpuCalls.name(call), GpuCalls.udf(call));
    one.takesNulls = GpuCalls.udf(call).takesNulls();
    one.mayRunTwice = GpuCalls.udf(call).mayRunTwice();
    one.exact = GpuCalls.exact(call);
    one.call = numbered(i, one.udf, one.exact, conf);
    one.hints = GpuCalls.udf(call).placementHints();
    one.arguments = arguments;
    one.guard = guard(i) instanceof Literal ? -1 : ordinal(guard(i), inputs);
    return one.build();
  }

  /** A call, with a number if other executors may compute it. */
  private UdfCall numbered(int i, UdfPattern pattern, boolean exact, SQLConf conf) {
    UdfCall call = udfCall(i);
    return Travel.whyNot(call(i), exact, pattern).isPresent()
        ? call
        : SharedCalls.numbered(
            call, GpuCalls.udf(call(i)), pattern, conf.datetimeJava8ApiEnabled());
  }

  static int ordinal(Expression attribute, List<Attribute> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).exprId().equals(((Attribute) attribute).exprId())) {
        return i;
      }
    }
    throw new IllegalStateException(attribute + " is not among " + inputs);
  }
}
