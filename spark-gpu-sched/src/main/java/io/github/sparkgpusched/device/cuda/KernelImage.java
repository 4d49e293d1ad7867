package io.github.sparkgpusched.device.cuda;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A compiled kernel, for one GPU architecture; perhaps with others in the same module.
 *
 * @param key what it was made of, and for which architecture: images with one key have the same
 *     code
 * @param kernel name of the kernel
 * @param code PTX, which is text that ends with a 0, or SASS, as a direct buffer: an array would
 *     keep the garbage collector waiting while the driver compiles. Nobody writes to it
 * @param cluster blocks of threads of a cluster; 1 if it has none
 */
record KernelImage(String key, String kernel, ByteBuffer code, int cluster) {
  static KernelImage ofPtx(String key, String kernel, String ptx, int cluster) {
    byte[] text = (ptx + '\0').getBytes(StandardCharsets.UTF_8);
    return new KernelImage(key, kernel, direct(text), cluster);
  }

  static KernelImage ofSass(String key, String kernel, byte[] sass, int cluster) {
    return new KernelImage(key, kernel, direct(sass), cluster);
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).rewind();
  }

  @Override
  public String toString() {
    return kernel + " (" + code.capacity() + " bytes, " + key + ")";
  }
}
