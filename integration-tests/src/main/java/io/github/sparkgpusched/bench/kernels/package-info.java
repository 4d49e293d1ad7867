/** The kernels of {@code cuda/include} in the cost model of {@code cuda/check/timing}. */
package io.github.sparkgpusched.bench.kernels;
