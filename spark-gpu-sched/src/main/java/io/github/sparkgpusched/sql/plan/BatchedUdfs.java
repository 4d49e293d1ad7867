package io.github.sparkgpusched.sql.plan;

import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The child's rows with the results of batched calls beside them: its output is the child's, then
 * one attribute a call. Arguments are attributes of the child or literals; a guard is an attribute
 * of the child, or the literal true, and the call is computed only where it is true.
 */
public final class BatchedUdfs extends LogicalPlan implements UnaryNode {
  private static final long serialVersionUID = 1L;

  private final Seq<Alias> calls;
  private final Seq<Expression> guards;
  private final LogicalPlan child;

  /**
   * @param calls each the alias of a {@code ScalaUDF} whose function is a {@link RowWiseFunction}
   * @param guards one a call
   */
  public BatchedUdfs(Seq<Alias> calls, Seq<Expression> guards, LogicalPlan child) {
    this.calls = calls;
    this.guards = guards;
    this.child = child;
  }

  public Seq<Alias> calls() {
    return calls;
  }

  public Seq<Expression> guards() {
    return guards;
  }

  @Override
  public LogicalPlan child() {
    return child;
  }

  @Override
  public Seq<LogicalPlan> children() {
    return Scala.seq(List.of(child));
  }

  @Override
  public Seq<Attribute> output() {
    return Scala.concat(child.output(), Scala.map(calls, Alias::toAttribute));
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(Scala.map(calls, Alias::toAttribute));
  }

  @Override
  public String argString(int maxFields) {
    return describe(calls, guards);
  }

  /** The calls for users: {@code [add(x#4, y#5) AS add#9 if guard#3]}. */
  public static String describe(Seq<Alias> calls, Seq<Expression> guards) {
    List<Alias> aliases = Scala.list(calls);
    List<Expression> conditions = Scala.list(guards);
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < aliases.size(); i++) {
      Expression guard = conditions.get(i);
      text.add(aliases.get(i) + (guard instanceof Literal ? "" : " if " + guard));
    }
    return text.toString();
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
    return withNewChildInternal(newChildren.head());
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new BatchedUdfs(calls, guards, newChild);
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int n) {
    return switch (n) {
      case 0 -> calls;
      case 1 -> guards;
      case 2 -> child;
      default -> throw new IndexOutOfBoundsException(n);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BatchedUdfs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchedUdfs that
        && calls.equals(that.calls)
        && guards.equals(that.guards)
        && child.equals(that.child);
  }

  @Override
  public int hashCode() {
    return Objects.hash(calls, guards, child);
  }
}
