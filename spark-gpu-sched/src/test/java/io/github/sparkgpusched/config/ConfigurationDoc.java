package io.github.sparkgpusched.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Makes the files that repeat the registry: {@code docs/configuration.md} and {@code
 * conf/spark-defaults.conf.template}. With {@code -Dgpusched.docs.write=true} it rewrites them,
 * else it only tells which are stale.
 */
final class ConfigurationDoc {
  private static final String WRITE = "gpusched.docs.write";
  static final String REWRITE =
      "./mvnw -pl spark-gpu-sched -am test -Dtest=ConfigurationDocTest -D" + WRITE + "=true";

  private ConfigurationDoc() {}

  public static void main(String[] args) {
    List<Path> stale = staleFiles();
    if (!stale.isEmpty()) {
      throw new IllegalStateException(stale + " differ from the registry: run " + REWRITE);
    }
  }

  /** The files that differ from the registry; none if it was asked to rewrite them. */
  static List<Path> staleFiles() {
    Path root = root();
    return files().entrySet().stream()
        .filter(file -> isStale(root.resolve(file.getKey()), file.getValue()))
        .map(file -> Path.of(file.getKey()))
        .toList();
  }

  private static Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("docs/configuration.md", page());
    files.put("conf/spark-defaults.conf.template", template());
    return files;
  }

  private static boolean isStale(Path file, String text) {
    try {
      if (Files.exists(file) && Files.readString(file).equals(text)) {
        return false;
      }
      if (!Boolean.getBoolean(WRITE)) {
        return true;
      }
      Files.writeString(file, text);
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String page() {
    return """
        # Configuration

        <!-- Made from the keys in package config. Change those, then run
        %s -->

        Set the keys as any Spark setting: in `spark-defaults.conf`, by `--conf`, in code, or, where a row says
        *per query*, by SQL: `SET spark.gpusched.batch.rows=4096`.

        | Key | Default | Allowed | Changes | Meaning |
        |---|---|---|---|---|
        %s
        - *Per query*: read for each query, from its session.
        - *At start*: read when the driver or an executor starts. `SET` and `spark.conf.set` refuse such a key, as they do
          Spark's own static settings: give it to `spark-submit`, or put it in `spark-defaults.conf`.
        - Sizes take the units `k`, `m`, `g` (of 1024), as in `64m`; a number alone is bytes. Words may be in upper or
          lower case.
        - A value that is not allowed is refused when it is set, with one line that says what is allowed.
        - An unknown key that begins with `spark.gpusched.` is refused when the application starts, and by `SET`.
          `spark.conf.set` takes it, and the session's next query with GPU UDFs fails. For example:

              %s
              %s
              %s
        """
        .formatted(
            REWRITE,
            rows(),
            error("spark.gpusched.batch.rows", "0"),
            error("spark.gpusched.batch.row", "4096"),
            error("spark.gpusched.block.stealThreshold", "8"));
  }

  private static String rows() {
    return GpuSchedConfig.entries().stream()
        .map(
            entry ->
                "| `%s` | `%s` | %s | %s | %s |\n"
                    .formatted(
                        entry.key(),
                        entry.defaultText(),
                        entry.allowed(),
                        changes(entry),
                        entry.doc()))
        .collect(Collectors.joining());
  }

  private static String changes(ConfigEntry<?> entry) {
    return switch (entry.mayChange()) {
      case AT_START -> "at start";
      case PER_QUERY -> "per query";
    };
  }

  private static String error(String key, String value) {
    try {
      GpuSchedConfig.validate(Map.of(key, value));
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    throw new IllegalStateException(key + "=" + value + " is allowed: not an example of an error");
  }

  private static String template() {
    return """
        # Copy to $SPARK_HOME/conf/spark-defaults.conf, or add to the one that is there.
        # Made from the keys in package config, as docs/configuration.md is; that page has the allowed values.

        # The plugin's jar must be there when the driver and each executor start: among Spark's own jars, or by spark.jars, which a
        # job's own --jars replaces. Without it Spark ends with ClassNotFoundException: %1$s
        # spark.jars /path/to/spark-gpu-sched-VERSION.jar
        spark.plugins %1$s

        # All keys, with their defaults.
        %2$s"""
        .formatted("io.github.sparkgpusched.GpuSchedPlugin", settings());
  }

  private static String settings() {
    return GpuSchedConfig.entries().stream()
        .map(entry -> "\n# %s\n# %s %s\n".formatted(entry.doc(), entry.key(), entry.defaultText()))
        .collect(Collectors.joining());
  }

  /** The repository's root: tests run in their module's folder, a main may run in the root. */
  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("run this inside the repository: no mvnw is above here");
      }
    }
    return folder;
  }
}
