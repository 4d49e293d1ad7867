package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.columnar.BatchColumn;

/**
 * Makes the object that Spark would pass to a Java UDF from a row of a column; the row is not null.
 * Public for generated code.
 */
@FunctionalInterface
public interface ArgumentReader {
  Object read(BatchColumn column, int row);
}
