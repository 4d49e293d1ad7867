package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/** A string so many times; null for a negative number. Its result has any length. */
public final class Repeat implements UDF2<String, Integer, String>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public String call(String text, Integer times) {
    return text == null || times == null || times < 0 ? null : text.repeat(times);
  }

  @Override
  public CudaSource cuda() {
    return CudaSource.text(
        """
        __device__ int repeat(const unsigned char* text, int length, int times, unsigned char* out,
                              int capacity, bool* is_null) {
          if (times < 0) {
            *is_null = true;
            return 0;
          }
          long long bytes = (long long)length * times;
          if (bytes > capacity) return capacity + 1;
          for (int i = 0; i < (int)bytes; i++) out[i] = text[i % length];
          return (int)bytes;
        }
        """,
        "repeat");
  }
}
