package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.ColumnType;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * What going through a batch is expected to add to a row until a task has measured it, from what it
 * took on one machine: generated code puts values into columns, and reads columns and results
 * again; texts and arrays are copied.
 */
final class CopyGuess {
  private static final double ROW_NANOS = 4;
  private static final double FIXED_WIDTH_NANOS = 2;
  private static final double OTHER_NANOS = 12;

  private CopyGuess() {}

  /**
   * The guess for a row.
   *
   * @param types of the columns that the batch keeps, and of the results
   */
  static double nanos(List<DataType> types) {
    double nanos = ROW_NANOS;
    for (DataType type : types) {
      nanos += ColumnType.ofFixedWidth(type).isPresent() ? FIXED_WIDTH_NANOS : OTHER_NANOS;
    }
    return nanos;
  }
}
