package io.github.sparkgpusched.sql.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * Columns that hold guards, of all layers of calls below an operator. The guard of a CASE's branch
 * begins with that of the branch before it; where that one is a column of a lower layer, the text
 * of all guards together is as long as the CASE, not as its square.
 */
final class GuardColumns {
  /** By guard, in canonical form. */
  private final Map<Expression, Attribute> columns = new HashMap<>();

  void add(Expression guard, Attribute column) {
    columns.put(guard.canonicalized(), column);
  }

  /** The column of a guard, or null. */
  Attribute get(Expression guard) {
    return columns.get(guard.canonicalized());
  }

  /** The same guard, with a column of these in place of the longest beginning that one holds. */
  Expression shortened(Expression guard, AttributeSet available) {
    List<Expression> parts = GuardedCalls.parts(guard);
    for (int length = columns.isEmpty() ? 0 : parts.size(); length > 0; length--) {
      Attribute column = get(GuardedCalls.and(parts.subList(0, length)));
      if (column != null && available.contains(column)) {
        Expression rest = GuardedCalls.and(parts.subList(length, parts.size()));
        return GuardedCalls.and(column, rest);
      }
    }
    return guard;
  }
}
