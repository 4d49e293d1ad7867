/**
 * Calls on the columns of RAPIDS cuDF, where they lie in GPU memory: what the RAPIDS Accelerator
 * plans itself. No kind of device: the Accelerator owns its GPU, and calls it on its own threads.
 * Loaded only where cuDF's classes are, which the jar does not bring.
 */
package io.github.sparkgpusched.device.cudf;
