package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockLength;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockStart;
import org.apache.spark.sql.catalyst.expressions.InputFileName;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * {@code input_file_name()} and its like say what file the task reads as they are evaluated. Above
 * a batch that is no more the file that a row came from, so there and below nothing is batched.
 * Delta's UPDATE and DELETE find the files that they rewrite by it.
 */
final class InputFiles {
  static final String WHY_ROW_WISE =
      "input_file_name, input_file_block_start or input_file_block_length is evaluated after it,"
          + " and says which file is read then";

  private InputFiles() {}

  /** Whether an operator's expressions ask for the file that is read. */
  static boolean areAskedForBy(LogicalPlan node) {
    return Scala.<Expression>list(node.expressions()).stream()
        .anyMatch(e -> e.exists(InputFiles::asks));
  }

  private static boolean asks(Expression e) {
    return e instanceof InputFileName
        || e instanceof InputFileBlockStart
        || e instanceof InputFileBlockLength;
  }
}
