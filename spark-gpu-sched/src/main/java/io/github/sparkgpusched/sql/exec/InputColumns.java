package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.AdjacentColumns;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.columnar.RowStore;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;

/**
 * The columns that a task's calls read: one a used column of the child, and one a literal, which
 * calls share that have the same one. Task thread only.
 */
final class InputColumns {
  private record Constant(Literal literal, BatchColumn column) {}

  private final List<DataType> types;
  private final BatchMemory memory;
  private final Map<Integer, BatchColumn> byOrdinal = new LinkedHashMap<>();
  private final List<Constant> constants = new ArrayList<>();
  private RowStore constantRow;

  InputColumns(List<DataType> types, BatchMemory memory) {
    this.types = types;
    this.memory = memory;
  }

  BatchColumn column(CallSpec.Argument argument) {
    if (argument.ordinal() >= 0) {
      return column(argument.ordinal());
    }
    for (Constant constant : constants) {
      if (isSame(constant.literal(), argument.literal())) {
        return constant.column();
      }
    }
    DataType type = argument.literal().dataType();
    BatchColumn column = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
    constants.add(new Constant(argument.literal(), column));
    return column;
  }

  /** By the bits: for {@code Literal.equals}, and in arrays, 0.0 and -0.0 are the same. */
  private static boolean isSame(Literal one, Literal other) {
    return !(one.dataType() instanceof ArrayType)
        && one.dataType().equals(other.dataType())
        && Objects.equals(one.value(), other.value());
  }

  BatchColumn column(int ordinal) {
    return byOrdinal.computeIfAbsent(
        ordinal,
        o -> {
          DataType type = types.get(o);
          return new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
        });
  }

  /** The columns to be filled for each batch, by ordinal in the child's output. */
  Map<Integer, BatchColumn> byOrdinal() {
    return byOrdinal;
  }

  int bytesPerRow() {
    int bytes = 0;
    for (BatchColumn column : byOrdinal.values()) {
      bytes += column.bytesPerRow();
    }
    for (Constant constant : constants) {
      bytes += constant.column().bytesPerRow();
    }
    return bytes;
  }

  /**
   * Bytes that a row takes on average on its way to a device, as some of the rows that are filled
   * say. A literal takes none: it goes once.
   */
  double sampledBytesPerRow(int rows) {
    double bytes = 0;
    for (BatchColumn column : byOrdinal.values()) {
      bytes += column.sampledBytesPerRow(rows);
    }
    return bytes;
  }

  void reserve(int rows) throws BatchMemory.Refused {
    AdjacentColumns.reserve(byOrdinal.values(), rows, memory);
    for (int i = 0; i < constants.size(); i++) {
      BatchColumn column = constants.get(i).column();
      if (column.capacityRows() < rows) {
        // First the row: a column with room counts as filled.
        RowStore row = constantRow();
        column.reserve(rows);
        row.extract(i, column);
        column.repeatFirst();
      }
    }
  }

  /** Forgets the rows, and gives the memory back. */
  void release() {
    byOrdinal.values().forEach(BatchColumn::release);
    constants.forEach(constant -> constant.column().release());
  }

  /** Gives back what literals' columns are filled from, after {@link #release}. */
  void releaseLiterals() {
    if (constantRow != null) {
      constantRow.release();
      constantRow = null;
    }
  }

  /** All literals as one row, so that they take the same way into a column as any other value. */
  private RowStore constantRow() throws BatchMemory.Refused {
    if (constantRow == null) {
      List<Expression> literals = new ArrayList<>();
      constants.forEach(constant -> literals.add(constant.literal()));
      UnsafeRow row =
          UnsafeProjection.create(Scala.<Expression>seq(literals)).apply(InternalRow.empty());
      RowStore store = new RowStore(literals.size(), memory);
      try {
        store.reserve(1);
        store.add(row);
      } catch (BatchMemory.Refused e) {
        store.release();
        throw e;
      }
      constantRow = store;
    }
    return constantRow;
  }
}
