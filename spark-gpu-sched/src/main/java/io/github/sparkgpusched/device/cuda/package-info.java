/**
 * GPUs, through JCuda and CUDA's driver API. {@link
 * io.github.sparkgpusched.device.cuda.CudaDevices} finds them, {@link
 * io.github.sparkgpusched.device.cuda.CudaDevice} is one, {@link
 * io.github.sparkgpusched.device.cuda.CudaPipeline} queues blocks on it, each in the stream of a
 * {@link io.github.sparkgpusched.device.cuda.Slot}, and {@link
 * io.github.sparkgpusched.device.cuda.StagedCall} and {@link
 * io.github.sparkgpusched.device.cuda.JobGrid} lay out what a kernel reads.
 */
package io.github.sparkgpusched.device.cuda;
