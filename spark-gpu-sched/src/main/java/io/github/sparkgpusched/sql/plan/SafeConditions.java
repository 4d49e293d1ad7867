package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.DynamicPruning;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.StringPredicate;

/**
 * Conditions that fail on no row, so that it makes no difference on which rows they are evaluated.
 * Spark does not tell: with ANSI, a cast, a division or an element of an array may throw.
 */
final class SafeConditions {
  private SafeConditions() {}

  static boolean is(Expression e) {
    return (isSafe(e) || (e instanceof Cast cast && isUpCast(cast)))
        && Scala.<Expression>list(e.children()).stream().allMatch(SafeConditions::is);
  }

  private static boolean isSafe(Expression e) {
    return e instanceof Attribute
        || e instanceof Literal
        || e instanceof And
        || e instanceof Or
        || e instanceof Not
        || e instanceof BinaryComparison
        || e instanceof IsNull
        || e instanceof IsNotNull
        || e instanceof IsNaN
        || e instanceof In
        || e instanceof InSet
        || e instanceof StringPredicate
        || e instanceof GetStructField
        || e instanceof DynamicPruning
        || e instanceof PlanExpression; // a subquery has its value before there are rows
  }

  private static boolean isUpCast(Cast cast) {
    return Cast.canUpCast(cast.child().dataType(), cast.dataType());
  }
}
