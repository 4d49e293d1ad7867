package io.github.sparkgpusched.device.cuda;

/**
 * A compiled kernel, for one GPU architecture.
 *
 * @param key what it was made of, and for which architecture: images with one key are the same
 * @param kernel name of the kernel
 * @param ptx its PTX text
 * @param cluster blocks of threads of a cluster; 1 if it has none
 */
record KernelImage(String key, String kernel, String ptx, int cluster) {
  @Override
  public String toString() {
    return kernel + " (" + ptx.length() + " characters of PTX, " + key + ")";
  }
}
