package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF2;

/** A string so many times; null for a negative number. Its result has any length. */
public final class Repeat implements UDF2<String, Integer, String>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public String call(String text, Integer times) {
    return text == null || times == null || times < 0 ? null : text.repeat(times);
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("repeat.cu", "repeat"));
  }
}
