package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ResultWriter;

/**
 * One call of a job, as a launch device is given it. The device uses it on its owner's thread
 * alone, while the job lasts.
 *
 * @param call what is computed
 * @param udf a copy of its UDF that no other thread uses
 * @param columns where its arguments are, and where results of fixed width go
 * @param results writes results of any type, on the owner's thread
 */
public record CallOnDevice(UdfCall call, GpuUdf udf, CallColumns columns, ResultWriter results) {}
