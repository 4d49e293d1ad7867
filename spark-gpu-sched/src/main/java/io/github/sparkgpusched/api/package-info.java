/**
 * What a UDF author implements and what an operator reads. Small and stable: nothing here knows
 * Spark's internals or the scheduler. Of kinds of devices it names one, where a function must: its
 * text is CUDA's ({@link io.github.sparkgpusched.api.CudaSource}).
 */
package io.github.sparkgpusched.api;
