package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.package$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * PySpark's {@code registerJavaFunction}. Needs PySpark of the same version; the environment
 * variable PYSPARK_PYTHON says which Python has it.
 */
@Tag("cluster")
class PySparkTest {
  private static final String SCRIPT = "register_java_function.py";

  private final Path folder = SparkHome.emptyFolder(Path.of("target", "cluster", "pyspark"));

  private record Run(int status, String output) {}

  @Test
  void aJavaUdfRegisteredByItsNameIsBatched() throws Exception {
    String python = System.getenv().getOrDefault("PYSPARK_PYTHON", "python3");
    String version = package$.MODULE$.SPARK_VERSION();
    Run found = run(List.of(python, "-c", "import pyspark; print(pyspark.__version__)"));
    assumeTrue(
        found.status() == 0 && found.output().trim().equals(version),
        () -> python + " has no PySpark " + version + ": pip install pyspark==" + version);
    try (var in = PySparkTest.class.getResourceAsStream(SCRIPT)) {
      Files.copy(in, folder.resolve(SCRIPT));
    }
    String jars = JarFiles.plugin(folder) + "," + JarFiles.applications(folder);
    Run run = run(List.of(python, SCRIPT, jars));
    assertEquals(0, run.status(), run::output);
    for (String key : List.of("batched", "plain", "equal")) {
      assertTrue(run.output().contains("answer: " + key + "=True"), run::output);
    }
  }

  /** Runs a command to its end; its JVM ends with it, as that reads a pipe from it. */
  private Run run(List<String> command) throws InterruptedException {
    Path log = folder.resolve("python.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new Run(-1, "no " + command.get(0));
    }
    try {
      boolean ended = process.waitFor(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return new Run(ended ? process.exitValue() : -1, Files.readString(log));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
