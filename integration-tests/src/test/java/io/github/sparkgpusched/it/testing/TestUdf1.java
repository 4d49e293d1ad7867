package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF1;

/** A GPU UDF that a test writes as a lambda, without a CUDA function. */
@FunctionalInterface
public interface TestUdf1<A, R> extends UDF1<A, R>, GpuUdf {}
