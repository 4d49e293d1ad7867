package io.github.sparkgpusched.device.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a JVM makes of the libraries' classes while it starts, kept in a file (class data sharing)
 * for all processes that this module's tests start on the double: they start in two thirds of the
 * processor time. Of its class path the libraries' jars come first, as an archive is of jars that a
 * class path begins with. A JVM that cannot use it does without, and says nothing.
 */
final class ClassArchive {
  private static final Path LAUNCH = Path.of("..", "integration-tests", "mutants", "Launch.java");

  private ClassArchive() {}

  /** The class path of processes. */
  static String classPath() {
    return jars() + File.pathSeparator + rest();
  }

  private static String jars() {
    return entries().filter(ClassArchive::isArchived).collect(joined());
  }

  private static String rest() {
    return entries().filter(entry -> !isArchived(entry)).collect(joined());
  }

  /** Natives, as JCuda has, are loaded once in a JVM, and {@link #LAUNCH} has two class loaders. */
  private static boolean isArchived(String entry) {
    return entry.endsWith(".jar") && !entry.contains("jcuda");
  }

  private static Stream<String> entries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(File.pathSeparator);
  }

  /** Options of a JVM that uses the archive in this folder, if there is one. */
  static List<String> use(Path folder) {
    Path archive = archive(folder);
    return Files.exists(archive)
        ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
        : List.of();
  }

  private static Path archive(Path folder) {
    return folder.resolve("classes-" + Integer.toHexString(jars().hashCode()) + ".jsa");
  }

  /**
   * Writes the archive, if it is not there. Without one all goes on, more slowly.
   *
   * @param scenario what {@link CudaDouble#java} made, which loads the classes
   */
  static void write(Path folder, ProcessBuilder scenario) throws IOException, InterruptedException {
    Path archive = archive(folder);
    if (Files.exists(archive) || !Files.exists(LAUNCH)) {
      return;
    }
    Path unfinished = folder.resolve("unfinished.jsa");
    List<String> command = new ArrayList<>(scenario.command());
    int path = command.indexOf(classPath());
    command.set(path, jars());
    command.addAll(path + 1, List.of(LAUNCH.toString(), rest()));
    command.addAll(
        1,
        List.of(
            "-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    CudaDouble.Ended ended = CudaDouble.await(scenario.command(command), folder);
    if (ended.status() == 0 && Files.exists(unfinished)) {
      Files.move(unfinished, archive);
    } else {
      System.out.println("no archive of classes: " + ended.output());
    }
  }
}
