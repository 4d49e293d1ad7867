package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.GpuUdf;
import java.time.Instant;
import org.apache.spark.sql.api.java.UDF2;

/** So many seconds later, where the session has times of {@code java.time}; null for some. */
public final class Later implements UDF2<Instant, Integer, Instant>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Instant call(Instant time, Integer seconds) {
    return time == null || time.toEpochMilli() % 7 == 0 ? null : time.plusSeconds(seconds);
  }
}
