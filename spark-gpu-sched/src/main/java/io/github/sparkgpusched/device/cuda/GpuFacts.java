package io.github.sparkgpusched.device.cuda;

import java.util.HexFormat;
import java.util.Locale;

/**
 * What is known of a GPU before it is opened.
 *
 * @param ordinal the driver's number of it in this process
 * @param index number in its name, such as 0 in {@code cuda:0}
 * @param uuidHex its UUID, 32 hexadecimal digits
 * @param product name of the product
 * @param major compute capability, the digit before the dot
 * @param minor the digit after it
 * @param memoryBytes its memory, in bytes
 * @param multiprocessors number of streaming multiprocessors
 * @param copyEngines copies that may overlap with kernels; 0 if none
 * @param memoryPools whether stream-ordered allocation is there
 * @param pciBusId such as {@code 0000:3b:00.0}
 * @param numaNode of the host's memory that is nearest; negative if it is not known
 */
record GpuFacts(
    int ordinal,
    int index,
    String uuidHex,
    String product,
    int major,
    int minor,
    long memoryBytes,
    int multiprocessors,
    int copyEngines,
    boolean memoryPools,
    String pciBusId,
    int numaNode) {

  /** The same GPU by another number in its name. */
  GpuFacts withIndex(int newIndex) {
    Builder facts = new Builder();
    facts.ordinal = ordinal;
    facts.index = newIndex;
    facts.uuidHex = uuidHex;
    facts.product = product;
    facts.major = major;
    facts.minor = minor;
    facts.memoryBytes = memoryBytes;
    facts.multiprocessors = multiprocessors;
    facts.copyEngines = copyEngines;
    facts.memoryPools = memoryPools;
    facts.pciBusId = pciBusId;
    facts.numaNode = numaNode;
    return facts.build();
  }

  String name() {
    return "cuda:" + index;
  }

  /** Its compute capability, as in {@code sm_75}. */
  int architecture() {
    return major * 10 + minor;
  }

  /** As nvidia-smi prints it. */
  String uuid() {
    String kind = product.contains(" MIG ") ? "MIG-" : "GPU-";
    return kind
        + String.join(
            "-",
            uuidHex.substring(0, 8),
            uuidHex.substring(8, 12),
            uuidHex.substring(12, 16),
            uuidHex.substring(16, 20),
            uuidHex.substring(20));
  }

  /** 32 hexadecimal digits of a UUID as nvidia-smi prints it. */
  static String uuidHex(String uuid) {
    return uuid.substring(4).replace("-", "").toLowerCase(Locale.ROOT);
  }

  static String uuidHex(byte[] uuid) {
    return HexFormat.of().formatHex(uuid);
  }

  /** The line that the log has at the start. */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%s: %s, %s, compute capability %d.%d, %d MiB, NUMA node %s",
        name(),
        product,
        uuid(),
        major,
        minor,
        memoryBytes >> 20,
        numaNode < 0 ? "unknown" : String.valueOf(numaNode));
  }

  /** The parts, put together by name. Not thread-safe. */
  static final class Builder {
    int ordinal;
    int index;
    String uuidHex;
    String product;
    int major;
    int minor;
    long memoryBytes;
    int multiprocessors;
    int copyEngines;
    boolean memoryPools;
    String pciBusId;
    int numaNode = -1;

    GpuFacts build() {
      return new GpuFacts(
          ordinal,
          index,
          uuidHex,
          product,
          major,
          minor,
          memoryBytes,
          multiprocessors,
          copyEngines,
          memoryPools,
          pciBusId,
          numaNode);
    }
  }
}
