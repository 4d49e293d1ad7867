package io.github.sparkgpusched.device.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a JVM makes of the libraries' classes that it loads, kept in a file (class data sharing) for
 * later ones of the same main class: a scenario of a second loads classes for most of it. The first
 * JVM of a main class writes the file as it ends; those that start meanwhile do without.
 *
 * <p>A JVM whose class path does not begin with that of the archive does without it, and says
 * nothing. Classes in folders are never archived, so that libraries come first on the path.
 */
final class ScenarioArchive {
  private static final String WRITE = "-XX:ArchiveClassesAtExit=";
  private static final String UNFINISHED = ".unfinished";

  private ScenarioArchive() {}

  /** The class path of this process, libraries first. */
  static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .sorted((a, b) -> Boolean.compare(isFolder(a), isFolder(b)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isFolder(String entry) {
    return !entry.endsWith(".jar");
  }

  /** Has a JVM use the archive of its main class, or write it if it is the first. */
  static void use(List<String> command, Path parent) throws IOException {
    int path = command.indexOf("-cp") + 1;
    // Not by a JDK without an archive of its own classes, on which this one is built.
    if (!command.get(path).equals(classPath())
        || !System.getProperty("java.vm.info").contains("sharing")) {
      return;
    }
    Path folder = Files.createDirectories(parent.resolve(libraries()));
    Path archive = folder.resolve(command.get(path + 1) + ".jsa");
    if (Files.exists(archive)) {
      command.add(1, "-XX:SharedArchiveFile=" + archive);
    } else {
      try {
        Files.createFile(folder.resolve(archive.getFileName() + ".begun"));
      } catch (FileAlreadyExistsException e) {
        return;
      }
      command.add(1, WRITE + archive + UNFINISHED);
    }
    command.addAll(1, List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
  }

  /** The JVM has ended: others may use what it has written. */
  static void finish(List<String> command) throws IOException {
    for (String option : command) {
      if (option.startsWith(WRITE)) {
        Path unfinished = Path.of(option.substring(WRITE.length()));
        String name = unfinished.toString();
        if (Files.exists(unfinished)) {
          Files.move(
              unfinished,
              Path.of(name.substring(0, name.length() - UNFINISHED.length())),
              StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
  }

  /** A name for these libraries, as they are now. */
  private static String libraries() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String entry : classPath().split(File.pathSeparator, -1)) {
      if (!isFolder(entry)) {
        Path jar = Path.of(entry);
        all.append(entry).append(Files.size(jar)).append(Files.getLastModifiedTime(jar));
      }
    }
    return "classes-" + Integer.toHexString(all.toString().hashCode());
  }
}
