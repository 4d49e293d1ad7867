package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The suite of the Python package, notebooks and scripts included, in a virtual environment with
 * the packages that {@code requirements-test.txt} pins. The environment is kept while they stay the
 * same. Its report is {@code target/python/pytest.log}.
 *
 * <p>Skipped where there is no Python, or no package index to install from.
 */
@Tag("python")
class PythonSuiteTest {
  private static final Path PACKAGE = Path.of("..", "python-examples").toAbsolutePath().normalize();

  /** Outside of what {@link SparkHome#emptyFolder} empties: an environment is 1 GB of packages. */
  private static final Path FOLDER = Path.of("target", "python").toAbsolutePath();

  private static final Path ENVIRONMENT = FOLDER.resolve("environment");

  /** Minor version 11: what the pinned packages need. */
  private static final String CHECK = "import sys, venv; sys.exit(sys.version_info < (3, 11))";

  /** What pip says when it reaches no index; else its failure is this test's. */
  private static final Pattern OFFLINE =
      Pattern.compile(
          "NewConnectionError|ConnectTimeout|NameResolutionError|ReadTimeout|ProxyError");

  private static final Path ARCHIVE = ENVIRONMENT.resolve("spark.jsa");

  private record Run(int status, String output) {}

  @Test
  void theSuiteOfThePythonPackagePasses() throws Exception {
    assumeTrue(
        System.getenv("FAKETIME_TIMESTAMP_FILE") == null,
        "skipped: under libfaketime Python's subprocess fails with EINVAL, in one of two calls");
    Files.createDirectories(FOLDER);
    String python = System.getenv().getOrDefault("PYTHON", "python3");
    assumeTrue(
        run("python.log", Duration.ofMinutes(10), List.of(python, "-c", CHECK)).status() == 0,
        () ->
            "'"
                + python
                + "' is not a Python of 3.11 or newer with venv: install one (Debian: apt install"
                + " python3-venv), or name it in the environment variable PYTHON");
    install(python);
    archiveClasses();
    String inside = inside("python");
    Run suite =
        run(
            "pytest.log",
            Duration.ofHours(2),
            List.of(inside, "-m", "pytest", "-p", "no:cacheprovider", "--durations=10"));
    assertEquals(0, suite.status(), suite::output);
  }

  /** The classes that Spark loads for a session, for all sessions of the suite. */
  private static void archiveClasses() throws InterruptedException, IOException {
    if (!Files.exists(ARCHIVE) && ClassArchive.canBeMade()) {
      Run script =
          run(
              "archive.log",
              Duration.ofMinutes(20),
              List.of(
                  inside("spark-submit"),
                  "--master",
                  "local[2]",
                  "--jars",
                  JarFiles.plugin(FOLDER).toString(),
                  "--driver-java-options",
                  ChildProcess.line(List.of(ClassArchive.write(ARCHIVE))),
                  PACKAGE.resolve("scripts").resolve("cities.py").toString(),
                  "--sample",
                  "200",
                  "--out",
                  FOLDER.resolve("archive").toString()));
      assertEquals(0, script.status(), script::output);
      ClassArchive.finish(ARCHIVE);
    }
  }

  /** A program of the environment. */
  private static String inside(String program) {
    return ENVIRONMENT.resolve("bin").resolve(program).toString();
  }

  private static void install(String python) throws InterruptedException, IOException {
    Path requirements = PACKAGE.resolve("requirements-test.txt");
    Path installed = ENVIRONMENT.resolve("installed.txt");
    String inside = inside("python");
    List<String> pip = List.of(inside, "-m", "pip", "install", "-q", "--disable-pip-version-check");
    if (!Files.exists(installed) || Files.mismatch(installed, requirements) != -1) {
      Run made =
          run(
              "venv.log",
              Duration.ofMinutes(20),
              List.of(python, "-m", "venv", "--clear", ENVIRONMENT.toString()));
      assertEquals(0, made.status(), made::output);
      Run packages =
          run(
              "pip.log",
              Duration.ofMinutes(20),
              plus(pip, "--retries", "2", "-r", requirements.toString()));
      assumeTrue(
          packages.status() == 0 || !OFFLINE.matcher(packages.output()).find(),
          () -> "pip reaches no package index: " + packages.output());
      assertEquals(0, packages.status(), packages::output);
      Files.copy(requirements, installed);
    }
    Run own =
        run(
            "pip-own.log",
            Duration.ofMinutes(20),
            plus(
                pip, "--no-deps", "--no-build-isolation", "--force-reinstall", PACKAGE.toString()));
    assertEquals(0, own.status(), own::output);
  }

  private static List<String> plus(List<String> first, String... others) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(others));
    return all;
  }

  /** Runs a command to its end, in the package's folder; what it started ends with it. */
  private static Run run(String logName, Duration atMost, List<String> command)
      throws InterruptedException {
    Path log = FOLDER.resolve(logName);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(PACKAGE.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_"));
    builder.environment().keySet().removeIf(key -> key.startsWith("PYSPARK_"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("PYSPARK_PYTHON", inside("python"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    List<String> options = new ArrayList<>(ChildProcess.QUICK_START);
    options.addAll(ClassArchive.use(ARCHIVE));
    builder.environment().put("JAVA_TOOL_OPTIONS", ChildProcess.line(options));
    builder.environment().put("GPUSCHED_JAR", JarFiles.plugin(FOLDER).toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new Run(-1, "no " + command.get(0));
    }
    try {
      boolean ended = process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS);
      String output = Files.readString(log);
      return ended
          ? new Run(process.exitValue(), output)
          : new Run(-1, output + "\nended after " + atMost);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
