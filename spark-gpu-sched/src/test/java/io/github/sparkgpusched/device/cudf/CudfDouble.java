package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.device.cuda.CudaDouble;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The test double of cuDF's natives (integration-tests/cudf-double), over that of the CUDA driver,
 * and processes in which cuDF's own Java classes load it.
 */
final class CudfDouble {
  private static final Path SOURCES =
      Path.of("..", "integration-tests", "cudf-double").toAbsolutePath().normalize();

  /** Built once a process. Guarded by the class. */
  private static Path built;

  private CudfDouble() {}

  /** The folder with libcudf.so and libcudfjni.so; skips the test where they cannot be built. */
  static synchronized Path folder() throws IOException, InterruptedException {
    Path jni = Path.of(System.getProperty("java.home"), "include");
    assumeTrue(CudaDouble.has("g++"), "skipped: no g++ to build the test double of cuDF's natives");
    assumeTrue(
        Files.exists(jni.resolve("jni.h")) && Files.exists(jni.resolve("linux")),
        "skipped: no jni.h for Linux in " + jni + " for the test double of cuDF's natives");
    if (built == null) {
      Path folder = Path.of("target", "cudf-double").toAbsolutePath();
      Files.createDirectories(folder);
      // The module's tests run in more than one JVM.
      try (FileChannel lock =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lock.lock();
        Path natives = folder.resolve("libcudfjni.so");
        if (CudaDouble.isStale(natives, List.of(SOURCES))) {
          String empty = SOURCES.resolve("libcudf.cpp").toString();
          CudaDouble.build(empty, folder.resolve("libcudf.so"));
          // The empty one is a source like any other, so that it can be the first of all.
          CudaDouble.build(empty, natives, options(jni));
        }
      }
      built = folder;
    }
    return built;
  }

  private static String[] options(Path jni) throws IOException {
    List<String> options = new ArrayList<>(List.of("-I" + jni, "-I" + jni.resolve("linux")));
    try (Stream<Path> files = Files.list(SOURCES)) {
      files
          .map(Path::toString)
          .filter(file -> file.endsWith(".cpp") && !file.endsWith("libcudf.cpp"))
          .sorted()
          .forEach(options::add);
    }
    return options.toArray(String[]::new);
  }

  /**
   * Runs a class's {@code main} in a process with assertions, which cuDF has many of, where cuDF
   * and JCuda find the doubles.
   */
  static CudaDouble.Ended run(
      Path temporary, Class<?> main, String argument, Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(temporary, "", main, argument, environment);
  }

  /** The same with other classes in front of the class path; none if that is empty. */
  static CudaDouble.Ended run(
      Path temporary,
      String classPath,
      Class<?> main,
      String argument,
      Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder process = CudaDouble.java(temporary, main, argument);
    if (!classPath.isEmpty()) {
      process
          .command()
          .replaceAll(
              part ->
                  part.equals(CudaDouble.classPath())
                      ? classPath + File.pathSeparator + part
                      : part);
    }
    process.command().add(1, "-Dai.rapids.cudf.lib-native-dir=" + folder());
    return CudaDouble.run(temporary, process, environment);
  }
}
