package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.BatchColumn;

/**
 * Where rows of a column that the device copies by itself will be, from the begin of their block.
 * Found out while the block is staged: when it is started, the column may hold another batch's rows
 * or none, where its job has ended meanwhile without this device.
 *
 * @param validity 0 if there are no nulls: validity lies behind values
 * @param hasData false if no string or array has bytes
 * @param heap what is to be added to a string's host address, if there are bytes
 */
record CopiedColumn(long values, long validity, boolean hasData, long heap) {
  /** Of a column that was added to copies that are laid out. */
  static CopiedColumn of(BatchColumn column, int from, int rows, SlabCopies copies) {
    long values = column.valueAddress(from);
    long validity = column.mayHaveNulls() ? column.validityAddress(from) : 0;
    long data = column.type().isVariableWidth() ? firstData(column, from, rows) : 0;
    return new CopiedColumn(
        values + copies.shift(values),
        validity == 0 ? 0 : validity + copies.shift(validity),
        data != 0,
        data == 0 ? 0 : copies.shift(data));
  }

  /** The address of the first string or array that has bytes, or 0 if none has. */
  private static long firstData(BatchColumn column, int from, int rows) {
    for (int row = from; row < from + rows; row++) {
      if ((!column.mayHaveNulls() || !column.isNull(row)) && column.dataBytes(row) > 0) {
        return column.dataAddress(row);
      }
    }
    return 0;
  }

  /** Writes its entry of a table of columns, for a block that begins there on the device. */
  void put(long to, long block) {
    StagedCall.putColumn(
        to, block + values, validity == 0 ? 0 : block + validity, hasData ? block + heap : 0);
  }
}
