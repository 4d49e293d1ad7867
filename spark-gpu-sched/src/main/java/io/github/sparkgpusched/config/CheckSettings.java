package io.github.sparkgpusched.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * Checks settings before any Spark runs. The Python package starts this by the plugin's jar alone:
 * once Spark's JVM has been given a wrong setting, it keeps it, and every later start in it fails.
 */
public final class CheckSettings {
  private CheckSettings() {}

  /**
   * Prints one line about the first setting that is not allowed, or nothing.
   *
   * @param settings keys and values in turn
   */
  public static void main(String[] settings) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i + 1 < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    try {
      GpuSchedConfig.validate(all);
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage());
    }
  }
}
