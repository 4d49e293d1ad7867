package io.github.sparkgpusched.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for each built-in function. */
class BuiltInFunctionsTest {
  @ParameterizedTest
  @EnumSource
  void hasItsDeviceFunction(DeviceCases function) {
    GpuUdf udf = function.udf();
    CudaSource cuda = udf.cuda().orElseThrow();
    String name = cuda.function() + (cuda.steps() ? "_done" : "");
    assertTrue(
        Pattern.compile("^__device__ [a-z]+ " + name + "\\(", Pattern.MULTILINE)
            .matcher(cuda.load(udf.getClass()))
            .find(),
        name);
  }

  @ParameterizedTest
  @EnumSource
  void doesNotTakeNulls(DeviceCases function) {
    assertFalse(function.udf().takesNulls());
  }

  /** Every thread's copy is made so; scratch space must not stand in the way. */
  @ParameterizedTest
  @EnumSource
  void worksAfterSerialization(DeviceCases function) throws Exception {
    GpuUdf used = function.udf();
    String expected = function.digest(used, 32, true);
    GpuUdf copy = copy(used);
    assertEquals(expected, function.digest(copy, 32, false));
    assertEquals(expected, function.digest(copy(used), 32, true));
  }

  private static GpuUdf copy(GpuUdf udf) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(udf);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (GpuUdf) in.readObject();
    }
  }
}
