package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.sparkgpusched.testing.Patience;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The test double of the CUDA driver (integration-tests/cuda-double), and processes that find it
 * where they look for the driver.
 */
public final class CudaDouble {
  /** The exit status of a scenario that fails: no JVM that is killed or cannot start has it. */
  public static final int FAILED = 10;

  private static final Path SOURCES =
      Path.of("..", "integration-tests", "cuda-double").toAbsolutePath().normalize();

  private static final Path CHECK = SOURCES.resolve("../../cuda/check").normalize();

  /** Built once a process. Guarded by the class. */
  private static Path built;

  /** How a process ended. */
  public record Ended(int status, String output) {}

  private CudaDouble() {}

  /** The folder with libcuda.so.1 and libnvrtc.so.12; skips the test where there is no g++. */
  public static synchronized Path folder() throws IOException, InterruptedException {
    assumeTrue(has("g++"), "skipped: no g++ to build the test double of the CUDA driver");
    if (built == null) {
      Path folder = Path.of("target", "cuda-double").toAbsolutePath();
      Files.createDirectories(folder);
      // The module's tests run in more than one JVM.
      try (FileChannel lock =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lock.lock();
        Path driver = folder.resolve("libcuda.so.1");
        if (isStale(driver, List.of(SOURCES, CHECK, CHECK.resolve("ptx")))) {
          // What an older compiler has compiled is kept by the text of kernels alone.
          deleteAll(twins());
          build("nvrtc.cpp", folder.resolve("libnvrtc.so.12"));
          build("driver.cpp", driver);
        }
        Path kept = Files.createDirectories(twins());
        ClassArchive.write(folder, sees(java(kept, CudaScenarios.class, "literals"), folder));
      }
      built = folder;
    }
    return built;
  }

  /**
   * Is a file that a double is made of, which are in these folders, newer than what was built last?
   */
  public static boolean isStale(Path builtLast, List<Path> folders) throws IOException {
    if (!Files.exists(builtLast)) {
      return true;
    }
    FileTime builtAt = Files.getLastModifiedTime(builtLast);
    for (Path folder : folders) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          if (Files.getLastModifiedTime(file).compareTo(builtAt) > 0) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static void deleteAll(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static Path twins() {
    return Path.of("target", "cuda-double", "twins").toAbsolutePath();
  }

  public static boolean has(String command) throws InterruptedException {
    try {
      return new ProcessBuilder(command, "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Compiles one library, of a source of this double or of one anywhere. */
  public static void build(String source, Path library, String... options)
      throws IOException, InterruptedException {
    Path from = SOURCES.resolve(source);
    Path unfinished = Files.createTempFile(library.getParent(), "double", ".so");
    List<String> command =
        new ArrayList<>(
            List.of(
                "g++",
                "-std=c++20",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fPIC",
                "-shared",
                "-Wl,-soname," + library.getFileName(),
                "-o",
                unfinished.toString(),
                from.toString(),
                "-DCUDA_DOUBLE_CHECK=\"" + CHECK + "\"",
                "-ldl",
                "-lpthread"));
    command.addAll(List.of(options));
    Path log = Files.createTempFile(library.getParent(), "build", ".log");
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException(Files.readString(log));
    }
    Files.delete(log);
    Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * A Java process on this class path, not started yet. It finds the GPUs that this one finds: what
   * the host says of them ({@code CUDA_VISIBLE_DEVICES}, the pipe of MPS) is for it, too.
   */
  public static ProcessBuilder java(Path temporary, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--add-opens") || flag.startsWith("--add-modules")) {
        command.add(flag);
      }
    }
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-ea",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            ClassArchive.classPath(),
            main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
    process.environment().put("TMPDIR", temporary.toString());
    process.environment().keySet().removeIf(name -> name.startsWith("CUDA_DOUBLE_"));
    return process;
  }

  /** That of processes which {@link #java} makes. */
  public static String classPath() {
    return ClassArchive.classPath();
  }

  /** What {@link #java} made sees the double, of whose devices this host has said nothing. */
  @CanIgnoreReturnValue
  static ProcessBuilder onDouble(ProcessBuilder process) throws IOException, InterruptedException {
    Path folder = folder();
    process.command().addAll(1, ClassArchive.use(folder));
    return sees(process, folder);
  }

  private static ProcessBuilder sees(ProcessBuilder process, Path folder) {
    process.environment().keySet().removeIf(name -> name.startsWith("CUDA_"));
    process.environment().put("LD_LIBRARY_PATH", folder.toString());
    return process;
  }

  /** Runs a scenario of {@link CudaScenarios} in a process that sees the double. */
  static Ended run(Path temporary, String scenario, Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(temporary, CudaScenarios.class, scenario, environment);
  }

  static Ended run(Path temporary, Class<?> main, String argument, Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(temporary, java(temporary, main, argument), environment);
  }

  /** Runs what {@link #java} made, in a process that sees the double. */
  public static Ended run(Path temporary, ProcessBuilder process, Map<String, String> environment)
      throws IOException, InterruptedException {
    onDouble(process);
    // Kernels and their twins take seconds to compile: kept from test to test.
    process.environment().put("TMPDIR", Files.createDirectories(twins()).toString());
    process.environment().putAll(new TreeMap<>(environment));
    return await(process, temporary);
  }

  public static Ended await(ProcessBuilder builder, Path temporary)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(temporary, "scenario", ".log");
    Process process = builder.redirectOutput(log.toFile()).start();
    if (!process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return new Ended(-1, "does not end\n" + Files.readString(log));
    }
    return new Ended(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
  }
}
