package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.List;
import java.util.Optional;

/** What the rows of a batch cost, as the UDFs' cost hints say. */
final class RowCosts {
  private RowCosts() {}

  /**
   * Costs of the rows of a batch that has begun.
   *
   * @param calls of the calling thread
   * @param columns of its calls
   */
  static RangeCosts of(ThreadCalls calls, List<CallColumns> columns, int rows) {
    if (calls.hints().stream().allMatch(Optional::isEmpty)) {
      return RangeCosts.UNIFORM;
    }
    double[] prefix = new double[rows + 1];
    for (int row = 0; row < rows; row++) {
      double cost = 0;
      for (int i = 0; i < columns.size(); i++) {
        if (!columns.get(i).skips(row)) {
          cost += cost(calls, columns.get(i), i, row);
        }
      }
      prefix[row + 1] = prefix[row] + cost;
    }
    return prefix[rows] > 0 ? new PrefixCosts(prefix) : RangeCosts.UNIFORM;
  }

  private static double cost(ThreadCalls calls, CallColumns columns, int call, int row) {
    Optional<CostHint> hint = calls.hints().get(call);
    if (hint.isEmpty()) {
      return 1;
    }
    double cost;
    try {
      cost = hint.get().cost(columns.arguments(), row);
    } catch (RuntimeException e) {
      throw calls.costHintFailed(call, row, e);
    }
    return cost >= 0 && cost < Double.POSITIVE_INFINITY ? cost : 1;
  }
}
