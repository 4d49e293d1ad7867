package io.github.sparkgpusched.sql.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.functions.PointInRing;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceFormTest {
  private static Optional<String> flaw(CudaSource source) {
    return DeviceForm.flaw(
        new GpuUdf() {
          private static final long serialVersionUID = 1L;

          @Override
          public Optional<CudaSource> cuda() {
            return Optional.of(source);
          }
        });
  }

  private static CudaSource multiplyAdd(String function) {
    return CudaSource.resource("/io/github/sparkgpusched/functions/multiply_add.cu", function);
  }

  @Test
  void aSourceThatIsNotThereIsNamed() {
    String why = flaw(CudaSource.resource("nowhere.cu", "f")).get();
    assertTrue(why.contains("'nowhere.cu'") && why.contains("is not on the class path"), why);
  }

  @Test
  void aFunctionThatIsNotInTheSourceIsNamed() {
    String why = flaw(multiplyAdd("multiply")).get();
    assertTrue(why.contains("multiply_add.cu") && why.contains("no function 'multiply'"), why);
    String steps = flaw(multiplyAdd("multiply_add").inSteps()).get();
    assertTrue(steps.contains("no function 'multiply_add_step'"), steps);
  }

  @Test
  void whatIsThereHasNoFlaw() {
    assertEquals(Optional.empty(), flaw(multiplyAdd("multiply_add")));
    assertEquals(Optional.empty(), DeviceForm.flaw(new GpuUdf() {}));
    assertEquals(Optional.empty(), DeviceForm.flaw(new MultiplyAdd()));
    assertEquals(Optional.empty(), DeviceForm.flaw(new MandelbrotIterations()));
    assertEquals(Optional.empty(), DeviceForm.flaw(new Levenshtein()));
    assertEquals(Optional.empty(), DeviceForm.flaw(new PointInRing()));
  }

  /** What {@code cuda()} itself throws, executors with GPUs say. */
  @Test
  void aFormThatCannotBeHadIsLeftToExecutors() {
    GpuUdf udf =
        new GpuUdf() {
          private static final long serialVersionUID = 1L;

          @Override
          public Optional<CudaSource> cuda() {
            throw new IllegalStateException("for show");
          }
        };
    assertEquals(Optional.empty(), DeviceForm.flaw(udf));
  }
}
