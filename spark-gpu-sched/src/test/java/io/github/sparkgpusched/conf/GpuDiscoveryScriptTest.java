package io.github.sparkgpusched.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code conf/gpu-discovery.sh} with a PATH of one folder, in which a fake nvidia-smi may be.
 */
class GpuDiscoveryScriptTest {
  @TempDir Path folder;

  @Test
  void printsTheGpusAsOneLineOfJson() throws Exception {
    fakeNvidiaSmi("echo 0; echo 1; echo 10");
    assertEquals(
        new Result(0, "{\"name\":\"gpu\",\"addresses\":[\"0\",\"1\",\"10\"]}\n", ""), discover());
  }

  @Test
  void asksForTheIndices() throws Exception {
    fakeNvidiaSmi("[[ \"$*\" == '--query-gpu=index --format=csv,noheader' ]] && echo 3");
    assertEquals("{\"name\":\"gpu\",\"addresses\":[\"3\"]}\n", discover().out());
  }

  @Test
  void failsWithoutNvidiaSmi() throws Exception {
    assertEquals(
        new Result(
            1, "", "gpu-discovery: no nvidia-smi on PATH: is the NVIDIA driver installed?\n"),
        discover());
  }

  @Test
  void failsWithoutDriver() throws Exception {
    fakeNvidiaSmi("echo 'NVIDIA-SMI has failed'; echo 'is the driver running?'; exit 9");
    assertEquals(
        new Result(
            1,
            "",
            "gpu-discovery: nvidia-smi failed (status 9): NVIDIA-SMI has failed is the driver"
                + " running?\n"),
        discover());
  }

  @Test
  void aWarningIsNoGpu() throws Exception {
    fakeNvidiaSmi("echo 'warning: infoROM' >&2; echo 0");
    assertEquals(
        new Result(0, "{\"name\":\"gpu\",\"addresses\":[\"0\"]}\n", "warning: infoROM\n"),
        discover());
  }

  @Test
  void failsWithoutGpus() throws Exception {
    fakeNvidiaSmi("echo 'No devices were found'");
    assertEquals(
        new Result(
            1, "", "gpu-discovery: nvidia-smi gave no index of a GPU but: No devices were found\n"),
        discover());
  }

  @Test
  void failsIfNothingIsListed() throws Exception {
    fakeNvidiaSmi("true");
    Result result = discover();
    assertEquals(1, result.status());
    assertEquals("", result.out());
  }

  private void fakeNvidiaSmi(String body) throws IOException {
    Path fake = folder.resolve("nvidia-smi");
    Files.writeString(fake, "#!" + bash() + "\n" + body + "\n");
    assertTrue(fake.toFile().setExecutable(true));
  }

  private Result discover() throws Exception {
    Path script = Path.of("../conf/gpu-discovery.sh").toAbsolutePath().normalize();
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(bash().toString(), script.toString())
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().put("PATH", folder.toString());
    Process process = builder.start();
    assertTrue(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS), "the script does not end");
    return new Result(process.exitValue(), text(out), text(err));
  }

  private static String text(File file) throws IOException {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8);
  }

  private static Path bash() {
    Path bash =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(System.getenv().getOrDefault("PATH", ""))
            .map(element -> Path.of(element).resolve("bash"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(bash != null, "skipped: no bash on PATH");
    return bash;
  }

  private record Result(int status, String out, String err) {}
}
