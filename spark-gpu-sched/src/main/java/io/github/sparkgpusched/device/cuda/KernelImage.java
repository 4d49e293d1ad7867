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
 * @param mayStay false if it has loads that are for memory which nobody writes as long as the
 *     kernel runs (PTX ISA, ld.global.nc; CUDA's {@code __ldg}): one that stays would be given new
 *     rows in the same place, and might read the old ones
 */
record KernelImage(String key, String kernel, ByteBuffer code, int cluster, boolean mayStay) {
  static KernelImage ofPtx(String key, String kernel, String ptx, int cluster) {
    byte[] text = (ptx + '\0').getBytes(StandardCharsets.UTF_8);
    return new KernelImage(key, kernel, direct(text), cluster, !hasReadOnlyLoads(ptx));
  }

  /**
   * SASS, which does not tell by which loads it reads.
   *
   * @param source what it was made of
   */
  static KernelImage ofSass(String key, String kernel, byte[] sass, int cluster, String source) {
    return new KernelImage(key, kernel, direct(sass), cluster, !hasReadOnlyLoads(source));
  }

  private static boolean hasReadOnlyLoads(String text) {
    return text.contains("ld.global.nc") || text.contains("__ldg");
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).rewind();
  }

  @Override
  public String toString() {
    return kernel + " (" + code.capacity() + " bytes, " + key + ")";
  }
}
