package io.github.sparkgpusched.device.cuda;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which drivers load a PTX text: those of the CUDA release that its PTX version came with, and
 * newer ones. From the release history in NVIDIA's "Parallel Thread Execution ISA".
 */
final class PtxVersion {
  private static final Pattern VERSION = Pattern.compile("\\.version\\s+(\\d{1,3})\\.(\\d{1,3})");

  private PtxVersion() {}

  /** The least version of a driver that loads a PTX text, such as 12040; 0 if it names none. */
  static int needs(String ptx) {
    Matcher version = VERSION.matcher(ptx);
    return version.find()
        ? cameWith(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)))
        : 0;
  }

  /** CUDA 12.6 brought no version of its own, so that 8.6 to 8.8 are one release late. */
  private static int cameWith(int major, int minor) {
    int release = major == 8 && minor >= 6 ? minor + 1 : minor;
    return (major + 4) * 1000 + release * 10;
  }
}
