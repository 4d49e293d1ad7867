package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeMap;
import org.apache.spark.sql.catalyst.expressions.AttributeMap$;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.ColumnStat;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils$;
import org.apache.spark.sql.internal.SQLConf;
import org.json4s.JValue;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.math.BigInt;

/**
 * Some of the child's columns with the results of batched calls beside them: its output is what it
 * passes on, then one attribute per call. Arguments are attributes of the child or literals; a
 * guard is an attribute of the child, or the literal true, and the call is computed only where it
 * is true.
 *
 * <p>The results are attributes rather than aliases, as in Spark's own nodes for Python UDFs: some
 * of Spark's rules take an alias off wherever it does not stand in a projection.
 */
public final class BatchedUdfs extends LogicalPlan implements UnaryNode {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> calls;
  private final Seq<Expression> guards;
  private final Seq<Attribute> results;
  private final Seq<Attribute> passed;
  private final LogicalPlan child;

  /** Spark's rules ask for these all the time. */
  private final Seq<LogicalPlan> children;

  private final Seq<Attribute> output;

  /**
   * @param calls each a {@code ScalaUDF} whose function is a {@link RowWiseFunction}
   * @param guards one a call
   * @param results one a call
   * @param passed columns of the child, in any order
   */
  public BatchedUdfs(
      Seq<Expression> calls,
      Seq<Expression> guards,
      Seq<Attribute> results,
      Seq<Attribute> passed,
      LogicalPlan child) {
    this.calls = calls;
    this.guards = guards;
    this.results = results;
    this.passed = passed;
    this.child = child;
    this.children = Scala.seq(List.of(child));
    this.output = Scala.concat(passed, results);
  }

  public Seq<Expression> calls() {
    return calls;
  }

  public Seq<Expression> guards() {
    return guards;
  }

  public Seq<Attribute> results() {
    return results;
  }

  /** The child's columns that are passed on. */
  public Seq<Attribute> passed() {
    return passed;
  }

  /** The same node, that passes on no other columns than these. */
  BatchedUdfs passing(AttributeSet wanted) {
    List<Attribute> some = Scala.<Attribute>list(passed).stream().filter(wanted::contains).toList();
    return some.size() == passed.length()
        ? this
        : new BatchedUdfs(calls, guards, results, Scala.seq(some), child);
  }

  /**
   * The same node with some of its calls; perhaps none.
   *
   * @param passedOn columns of the child that it passes on
   */
  public BatchedUdfs only(Predicate<ScalaUDF> wanted, Seq<Attribute> passedOn) {
    List<Expression> someCalls = new ArrayList<>();
    List<Expression> someGuards = new ArrayList<>();
    List<Attribute> someResults = new ArrayList<>();
    for (int i = 0; i < calls.length(); i++) {
      if (wanted.test((ScalaUDF) calls.apply(i))) {
        someCalls.add(calls.apply(i));
        someGuards.add(guards.apply(i));
        someResults.add(results.apply(i));
      }
    }
    return new BatchedUdfs(
        Scala.seq(someCalls), Scala.seq(someGuards), Scala.seq(someResults), passedOn, child);
  }

  @Override
  public LogicalPlan child() {
    return child;
  }

  @Override
  public Seq<LogicalPlan> children() {
    return children;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  /**
   * The child's size by the width of its rows and of this node's, as Spark has it of a projection:
   * by that it chooses what to broadcast.
   */
  @Override
  public Statistics stats() {
    Statistics below = child.stats();
    boolean cbo = SQLConf.get().cboEnabled();
    AttributeMap<ColumnStat> columns =
        cbo ? below.attributeStats() : AttributeMap$.MODULE$.apply(Scala.seq(List.of()));
    BigInt rowBytes = EstimationUtils$.MODULE$.getSizePerRow(output, columns);
    BigInt bytesBelow =
        EstimationUtils$.MODULE$.getSizePerRow(child.output(), below.attributeStats());
    BigInt bytes = below.sizeInBytes().$times(rowBytes).$div(bytesBelow);
    return below.copy(
        bytes.max(BigInt.apply(1)), cbo ? below.rowCount() : Option.empty(), columns, false);
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(Scala.map(results, Attribute::toAttribute));
  }

  @Override
  public String argString(int maxFields) {
    return describe(calls, guards, results);
  }

  /** The calls for users: {@code [add(x#4, y#5) AS add#9 if guard#3]}. */
  public static String describe(
      Seq<Expression> calls, Seq<Expression> guards, Seq<Attribute> results) {
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < calls.length(); i++) {
      Expression guard = guards.apply(i);
      String condition = guard instanceof Literal ? "" : " if " + guard;
      text.add(calls.apply(i) + " AS " + results.apply(i) + condition);
    }
    return text.toString();
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
    return withNewChildInternal(newChildren.head());
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new BatchedUdfs(calls, guards, results, passed, newChild);
  }

  /** For {@code toJSON}, as of a projection: Spark looks at a class of Scala's for the names. */
  @Override
  public scala.collection.immutable.List<Tuple2<String, JValue>> jsonFields() {
    List<NamedExpression> columns = new ArrayList<>(Scala.<NamedExpression>list(passed));
    for (int i = 0; i < results.length(); i++) {
      columns.add(Named.as(results.apply(i), calls.apply(i)));
    }
    return new Project(Scala.seq(columns), child).jsonFields();
  }

  /** The arguments of the constructor, in order: Spark copies a node by them. */
  private List<Object> parts() {
    return List.of(calls, guards, results, passed, child);
  }

  @Override
  public int productArity() {
    return parts().size();
  }

  @Override
  public Object productElement(int n) {
    return parts().get(n);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BatchedUdfs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchedUdfs that && parts().equals(that.parts());
  }

  @Override
  public int hashCode() {
    return parts().hashCode();
  }
}
