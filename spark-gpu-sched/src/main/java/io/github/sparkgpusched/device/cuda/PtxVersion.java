package io.github.sparkgpusched.device.cuda;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which drivers load a PTX text: those of the CUDA release that its PTX version came with, and
 * newer ones. From the release history in NVIDIA's "Parallel Thread Execution ISA".
 */
final class PtxVersion {
  private static final Pattern VERSION = Pattern.compile("\\.version\\s+(\\d+)\\.(\\d+)");

  /** Of a number in a version: no release is near. */
  private static final int MOST_DIGITS = 3;

  private PtxVersion() {}

  /**
   * The least version of a driver that loads a PTX text, such as 12040; 0 if it names none, and the
   * greatest number if no driver can have it.
   */
  static int needs(String ptx) {
    Matcher version = VERSION.matcher(ptx);
    if (!version.find()) {
      return 0;
    }
    String major = version.group(1);
    String minor = version.group(2);
    return major.length() > MOST_DIGITS || minor.length() > MOST_DIGITS
        ? Integer.MAX_VALUE
        : cameWith(Integer.parseInt(major), Integer.parseInt(minor));
  }

  /** CUDA 12.6 brought no version of its own, so that 8.6 to 8.8 are one release late. */
  private static int cameWith(int major, int minor) {
    int release = major == 8 && minor >= 6 ? minor + 1 : minor;
    return (major + 4) * 1000 + release * 10;
  }
}
