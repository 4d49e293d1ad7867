package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import java.io.Serializable;
import java.util.Optional;

/**
 * A function that is given as text in a query, in the language of a kind of device, and has no Java
 * form, so that cores cannot compute it. Two of the same text are equal: they are one function.
 */
public interface TextUdf extends GpuUdf, Serializable {
  /** What the query calls it. */
  String name();

  /** Of its text, as devices and messages name it. */
  String language();

  /** Only asked for rows that the function cannot be given on a device. */
  @Override
  default Optional<BatchMethod> batchMethod() {
    return Optional.of(
        (arguments, from, until, out) -> {
          throw new GpuUdfException(
              "a "
                  + language()
                  + " function cannot be given an array that has null elements, and '"
                  + name()
                  + "' has no Java form for such a row: filter them out",
              null);
        });
  }

  /** What to throw where a call is to be computed row by row after all. */
  default GpuUdfException noRowWiseForm() {
    return new GpuUdfException(
        "'"
            + name()
            + "' has a "
            + language()
            + " function alone, which cannot be called row by row",
        null);
  }
}
