package io.github.sparkgpusched.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * What the advisor is asked.
 *
 * @param jsonFile a file of the JSON; null for none
 * @param html the file of the page; null for none
 */
record Options(List<String> logs, boolean json, String jsonFile, String html, boolean progress) {
  static final String USAGE =
      """
      usage: gpusched advise [--json] [--json-file FILE] [--html FILE] [--progress] EVENTLOG...

      Reads Spark event logs of applications that ran without the plugin, and says which
      of them it would have made faster, by how much, and why not.

        EVENTLOG      a log's file, plain or packed (zstd, lz4, snappy, lzf), the folder of a rolled
                      log (eventlog_v2_...), or a folder of logs; here, or hdfs://..., s3a://...
        --json        JSON instead of text
        --html FILE   also writes a page
        --json-file FILE  also writes the JSON
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
    boolean optionsOver = false;
    String html = null;
    String jsonFile = null;
    for (int i = 0; i < arguments.length; i++) {
      if (optionsOver) {
        logs.add(arguments[i]);
        continue;
      }
      switch (arguments[i]) {
        case "--" -> optionsOver = true;
        case "--json-file" -> jsonFile = file(arguments, ++i);
        case "--json" -> json = true;
        case "--progress" -> progress = true;
        case "--html" -> html = file(arguments, ++i);
        default -> {
          if (arguments[i].startsWith("-")) {
            throw new IllegalArgumentException(
                "there is no option '"
                    + arguments[i]
                    + "'; the options are --json, --json-file FILE, --html FILE, --progress");
          }
          logs.add(arguments[i]);
        }
      }
    }
    if (logs.isEmpty()) {
      throw new IllegalArgumentException("give at least one event log");
    }
    return new Options(logs, json, jsonFile, html, progress);
  }

  private static String file(String[] arguments, int i) {
    if (i >= arguments.length) {
      throw new IllegalArgumentException(arguments[i - 1] + " needs the name of a file");
    }
    return arguments[i];
  }
}
