package io.github.sparkgpusched.sql.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class GuardedCallsTest {
  /** Spark looks for common parts of guards on the left of each AND. */
  @Test
  void guardsGrowOnTheRight() {
    List<Expression> branches = new ArrayList<>();
    Expression guard = null;
    for (int i = 0; i < 5; i++) {
      Literal branch = Literal.create(i, DataTypes.IntegerType);
      branches.add(branch);
      guard = GuardedCalls.and(guard, branch);
    }
    List<Expression> found = new ArrayList<>();
    while (found.size() < 4) {
      And both = assertInstanceOf(And.class, guard);
      found.add(both.left());
      guard = both.right();
    }
    found.add(guard);
    assertEquals(branches, found);
  }

  @Test
  void nullStandsForTrue() {
    Literal one = Literal.create(1, DataTypes.IntegerType);
    assertSame(one, GuardedCalls.and(null, one));
    assertSame(one, GuardedCalls.and(one, null));
    assertNull(GuardedCalls.and(null, null));
  }
}
