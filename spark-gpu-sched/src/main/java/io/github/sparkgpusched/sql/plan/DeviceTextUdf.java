package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import java.io.Serializable;
import java.util.Optional;

/**
 * A function that is given as text in a query, in the language of a kind of device, and has no Java
 * form, so that cores cannot compute it. Of two queries with the same text it is the same function.
 *
 * @param name what the query calls it
 * @param text in the only language so far
 */
public record DeviceTextUdf(String name, CudaSource text) implements GpuUdf, Serializable {
  /** The only language so far, as devices and messages name it. */
  public static final String LANGUAGE = "CUDA";

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(text);
  }

  /** Only asked for rows that the CUDA function cannot be given. */
  @Override
  public Optional<BatchMethod> batchMethod() {
    return Optional.of(
        (arguments, from, until, out) -> {
          throw new GpuUdfException(
              "a "
                  + LANGUAGE
                  + " function cannot be given an array that has null elements, and '"
                  + name
                  + "' has no Java form for such a row: filter them out",
              null);
        });
  }

  /** What to throw where a call is to be computed row by row after all. */
  GpuUdfException noRowWiseForm() {
    return new GpuUdfException(
        "'" + name + "' has a " + LANGUAGE + " function alone, which cannot be called row by row",
        null);
  }
}
