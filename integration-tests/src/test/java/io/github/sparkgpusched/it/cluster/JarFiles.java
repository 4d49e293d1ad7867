package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.GpuSchedPlugin;
import io.github.sparkgpusched.jobs.MainJob;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The jars that a user would give to spark-submit. In a build without the package phase there are
 * only folders of classes; they are packed here.
 */
final class JarFiles {
  private static final List<String> APPS =
      List.of(
          "io/github/sparkgpusched/it/campaign",
          "io/github/sparkgpusched/it/cluster/app",
          "io/github/sparkgpusched/it/cluster/Waiting.class",
          "io/github/sparkgpusched/it/queries",
          "io/github/sparkgpusched/it/sql",
          "io/github/sparkgpusched/it/testing");

  private JarFiles() {}

  /** The plugin's jar. */
  static Path plugin(Path folder) {
    Path built = locationOf(GpuSchedPlugin.class);
    return Files.isRegularFile(built)
        ? built
        : pack(built, List.of(""), folder.resolve("plugin.jar"));
  }

  /** The jar of the applications in the package {@code app}, and of what they share with tests. */
  static Path applications(Path folder) {
    return pack(locationOf(JarFiles.class), APPS, folder.resolve("applications.jar"));
  }

  /** The jar of the project's jobs. */
  static Path jobs(Path folder) {
    return pack(locationOf(MainJob.class), List.of(""), folder.resolve("jobs.jar"));
  }

  private static Path locationOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path pack(Path root, List<String> below, Path jar) {
    try {
      Files.createDirectories(jar.getParent());
      List<Path> files = new ArrayList<>();
      for (String folder : below) {
        try (Stream<Path> found = Files.walk(root.resolve(folder))) {
          found.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
      }
      // A jar is a zip; Spark asks for no manifest.
      try (OutputStream out = Files.newOutputStream(jar);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        for (Path file : files) {
          zip.putNextEntry(new ZipEntry(root.relativize(file).toString().replace('\\', '/')));
          Files.copy(file, zip);
          zip.closeEntry();
        }
      }
      return jar.toAbsolutePath();
    } catch (IOException e) {
      throw new IllegalStateException("cannot pack " + root + " as " + jar, e);
    }
  }
}
