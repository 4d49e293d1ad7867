package io.github.sparkgpusched.device.remote;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the garbage collector G1 calls humongous: an array of half a region or more. It is allocated
 * apart, and many of them have G1 mark the heap again and again, which costs more than the rows of
 * a block do. With a heap of 1 GB that is half a megabyte.
 */
final class HeapRegions {
  /** Headers of the array and of the transport's frame. */
  private static final int HEADER_BYTES = 4096;

  private HeapRegions() {}

  /** The most bytes of a message that is not humongous. */
  static long mostBytes() {
    return mostBytes(regionBytes());
  }

  /**
   * @param region bytes; 0 if there are none
   */
  static long mostBytes(long region) {
    return region > 0 ? region / 2 - HEADER_BYTES : Long.MAX_VALUE;
  }

  /** 0 if the collector is not G1, or the JVM does not say. */
  private static long regionBytes() {
    try {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return jvm == null ? 0 : Long.parseLong(jvm.getVMOption("G1HeapRegionSize").getValue());
    } catch (IllegalArgumentException e) { // no such option, or no number
      return 0;
    }
  }
}
