package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.device.cuda.CudaDouble;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter as RAPIDS' own expression calls it, on the doubles. Nothing is about GPUs. */
@Tag("rapids")
class RapidsEvalTest {
  @TempDir Path temporary;

  @Test
  void rapidsOwnExpressionCallsTheAdapter() throws Exception {
    Path classes = Path.of("target", "rapids").toAbsolutePath();
    assumeTrue(Files.exists(classes), () -> classes + " is not there: build with -Prapids");
    // As in RAPIDS' jar, where its loader of shims adds the first two.
    String before =
        String.join(
            File.pathSeparator,
            List.of(
                classes.resolve("spark420").toString(),
                classes.resolve("spark-shared").toString(),
                classes.toString()));
    CudaDouble.Ended ended =
        CudfDouble.run(temporary, before, RapidsEvalApp.class, "", Map.of("CUDA_DOUBLE_PTX", "1"));
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("RAPIDS has evaluated them"), ended.output());
  }
}
