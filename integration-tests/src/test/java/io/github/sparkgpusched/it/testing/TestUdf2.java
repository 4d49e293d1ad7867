package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/** As {@link TestUdf1}, of two arguments. */
@FunctionalInterface
public interface TestUdf2<A, B, R> extends UDF2<A, B, R>, GpuUdf {}
