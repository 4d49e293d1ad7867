package com.nvidia.spark.rapids;

import io.github.sparkgpusched.it.sql.CountedVector;
import org.apache.spark.sql.types.DataType;

/**
 * Stands for the vectors that the RAPIDS Accelerator brings back from a GPU: it has their name, and
 * whoever gives them out closes them.
 */
public final class RapidsHostColumnVector extends CountedVector {
  public RapidsHostColumnVector(DataType type, long first) {
    super(type, first);
  }
}
