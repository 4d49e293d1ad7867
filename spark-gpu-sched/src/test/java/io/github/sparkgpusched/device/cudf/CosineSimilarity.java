package io.github.sparkgpusched.device.cudf;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF2;
import scala.collection.Seq;

/** The example of docs/rapids.md. */
public final class CosineSimilarity implements UDF2<Seq<Float>, Seq<Float>, Float>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Float call(Seq<Float> a, Seq<Float> b) {
    if (a == null || b == null) {
      return null;
    }
    if (a.length() != b.length()) {
      throw new IllegalArgumentException(a.length() + " and " + b.length() + " elements");
    }
    double product = 0;
    double squaresOfA = 0;
    double squaresOfB = 0;
    for (int i = 0; i < a.length(); i++) {
      product += (double) a.apply(i) * b.apply(i);
      squaresOfA += (double) a.apply(i) * a.apply(i);
      squaresOfB += (double) b.apply(i) * b.apply(i);
    }
    return (float) (product / (Math.sqrt(squaresOfA) * Math.sqrt(squaresOfB)));
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("cosine_similarity.cu", "cosine_similarity"));
  }
}
