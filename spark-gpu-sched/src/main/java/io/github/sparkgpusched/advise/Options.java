package io.github.sparkgpusched.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * What the advisor is asked.
 *
 * @param html the file of the page; null for none
 */
record Options(List<String> logs, boolean json, String html, boolean progress) {
  static final String USAGE =
      """
      usage: gpusched advise [--json] [--html FILE] [--progress] EVENTLOG...

      Reads Spark event logs of applications that ran without the plugin, and says which
      of them it would have made faster, by how much, and why not.

        EVENTLOG      a log's file, plain or packed (zstd, lz4, snappy, lzf), the folder of a rolled
                      log (eventlog_v2_...), or a folder of logs; here, or hdfs://..., s3a://...
        --json        JSON instead of text
        --html FILE   also writes a page
        --progress    a progress bar, also where the output is no terminal
      """;

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it cannot be used; the message says why
   */
  static Options of(String... arguments) {
    List<String> logs = new ArrayList<>();
    boolean json = false;
    boolean progress = false;
    String html = null;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--json" -> json = true;
        case "--progress" -> progress = true;
        case "--html" -> {
          if (++i == arguments.length) {
            throw new IllegalArgumentException("--html needs the name of a file");
          }
          html = arguments[i];
        }
        default -> {
          if (arguments[i].startsWith("-")) {
            throw new IllegalArgumentException(
                "there is no option '"
                    + arguments[i]
                    + "'; the options are --json, --html FILE, --progress");
          }
          logs.add(arguments[i]);
        }
      }
    }
    if (logs.isEmpty()) {
      throw new IllegalArgumentException("give at least one event log");
    }
    return new Options(logs, json, html, progress);
  }
}
