package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.GpuUdf;

/** A GPU UDF that is measured by its {@code call} alone. */
abstract class WithoutBatchMethod implements GpuUdf {}
