package com.nvidia.spark;

import ai.rapids.cudf.ColumnVector;

/**
 * Stands for the RAPIDS Accelerator's interface of this name while the plugin is compiled and
 * tested: the Accelerator's own jar has 576 MB. It is in no jar of ours; where the Accelerator is,
 * its own interface is met.
 */
public interface RapidsUDF {
  /**
   * The older form, which newer Accelerators call through the other.
   *
   * @deprecated it cannot say how many rows there are of a function without arguments
   */
  @Deprecated
  default ColumnVector evaluateColumnar(ColumnVector... args) {
    throw new UnsupportedOperationException("evaluateColumnar(int, ColumnVector...) is missing");
  }

  /** Gives a column of so many rows. The caller closes the arguments, and owns the result. */
  default ColumnVector evaluateColumnar(int rows, ColumnVector... args) {
    return evaluateColumnar(args);
  }
}
