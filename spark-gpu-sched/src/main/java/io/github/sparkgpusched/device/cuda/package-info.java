/** Room for CUDA devices. There is nothing here yet. */
package io.github.sparkgpusched.device.cuda;
