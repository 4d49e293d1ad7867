package io.github.sparkgpusched.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a JVM makes of Spark's classes while it starts, kept in a file (class data sharing) for all
 * JVMs with that class path: they start in half the time. A JVM whose class path does not begin
 * with that of the archive does without it, and says nothing; so does one that cannot make one.
 */
final class ClassArchive {
  private ClassArchive() {}

  /**
   * Not by a JDK that comes without an archive of its own classes, on which this one is built; nor
   * where a few JVMs are started, for which it does not pay.
   */
  static boolean canBeMade() {
    return System.getProperty("java.vm.info").contains("sharing")
        && !Boolean.getBoolean("test.noClassArchive");
  }

  /** Options of a JVM that uses an archive; none where there is no archive. */
  static List<String> use(Path archive) {
    return Files.exists(archive)
        ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
        : List.of();
  }

  /** The option of a JVM that writes an archive when it ends; {@link #finish} it then. */
  static String write(Path archive) {
    return "-XX:ArchiveClassesAtExit=" + unfinished(archive);
  }

  static void finish(Path archive) throws IOException {
    Files.move(unfinished(archive), archive);
  }

  private static Path unfinished(Path archive) {
    return archive.resolveSibling("unfinished.jsa");
  }
}
