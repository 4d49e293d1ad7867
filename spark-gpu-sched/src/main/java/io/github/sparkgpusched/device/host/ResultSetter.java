package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.columnar.ResultWriter;

/** Stores what a UDF returned, which is not null. Public for generated code. */
@FunctionalInterface
public interface ResultSetter {
  /**
   * Stores a row's result.
   *
   * @throws RowLoop.WrongResult if the object is not of the result's type
   */
  void set(ResultWriter out, int row, Object result);
}
