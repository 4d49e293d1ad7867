package io.github.sparkgpusched.device.cuda;

/**
 * A compiled kernel, for one GPU architecture.
 *
 * @param key what it was made of, and for which architecture: images with one key are the same
 * @param kernel name of the kernel
 * @param ptx its PTX text
 */
record KernelImage(String key, String kernel, String ptx) {
  @Override
  public String toString() {
    return kernel + " (" + ptx.length() + " characters of PTX, " + key + ")";
  }
}
