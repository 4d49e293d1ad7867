package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.columnar.BatchMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The size of this JVM at a moment, its heap without garbage. For Linux.
 *
 * @param values in the order of {@link #SERIES}
 */
public record Footprint(List<Long> values) {
  /** What is measured: bytes, but for the last three. */
  public static final List<String> SERIES =
      List.of(
          "heap",
          "outside of the heap",
          "resident",
          "direct",
          "mapped",
          "batches",
          "threads",
          "files",
          "sockets");

  /** How many of {@link #SERIES} are bytes. */
  public static final int OF_BYTES = 6;

  private static final int COLLECTIONS = 2;

  /** Of this JVM, which collects its garbage for it. */
  public static Footprint now() throws IOException {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc(); // the second one has what Spark's cleaner let go after the first
    }
    Holdings held = Holdings.now();
    return new Footprint(
        List.of(
            memory.getHeapMemoryUsage().getUsed(),
            memory.getNonHeapMemoryUsage().getUsed(),
            residentBytes(),
            held.directBytes(),
            held.mappedBytes(),
            BatchMemory.liveBytes(),
            (long) held.threads(),
            (long) held.files(),
            (long) held.sockets()));
  }

  private static long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("no VmRSS");
  }

  /** Separated by commas. */
  public String csv() {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(String.valueOf(value)));
    return String.join(",", texts);
  }

  /** What {@link #csv} wrote. */
  public static Footprint of(String csv) {
    List<Long> values = new ArrayList<>();
    for (String value : csv.split(",", -1)) {
      values.add(Long.parseLong(value));
    }
    return new Footprint(values);
  }
}
