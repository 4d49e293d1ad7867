package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.UdfCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Which kernel of the jar is taken; none of them runs here. */
class ShippedKernelsTest {
  private static final int OLD_DRIVER = 12000;
  private static final int NEW_DRIVER = 13000;

  private static String text(KernelImage image) {
    byte[] bytes = new byte[image.code().capacity()];
    image.code().duplicate().get(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void eachBuiltInFunctionHasAKernel() {
    for (Batch batch : Batches.builtIn(10, 1)) {
      try (batch) {
        String function = batch.udf().cuda().function();
        for (int architecture : new int[] {75, 80, 86, 89, 90, 100, 120}) {
          KernelImage image =
              ShippedKernels.find(
                      batch.udf().getClass(), batch.call(), function, architecture, OLD_DRIVER, 1)
                  .orElseThrow();
          assertTrue(
              text(image).contains(".visible .entry " + function + "_c1("), image.toString());
          assertTrue(
              text(image)
                  .contains(
                      ".target sm_" + (architecture >= 90 ? 90 : architecture >= 80 ? 80 : 75)),
              image.toString());
        }
      }
    }
  }

  /** For the one architecture that it is for, where the driver knows it. */
  @Test
  void sassIsTakenWhereItLoads() {
    for (Batch batch : Batches.builtIn(10, 1)) {
      try (batch) {
        String function = batch.udf().cuda().function();
        for (int[] gpu :
            new int[][] {{90, 12080, 0}, {90, 13000, 1}, {89, 13000, 0}, {100, 13000, 0}}) {
          for (int cluster : gpu[0] < 90 ? new int[] {1} : new int[] {1, 8}) {
            KernelImage image =
                ShippedKernels.find(
                        batch.udf().getClass(), batch.call(), function, gpu[0], gpu[1], cluster)
                    .orElseThrow();
            assertEquals(gpu[2] == 1, text(image).startsWith("\u007fELF"), image.toString());
            if (gpu[2] == 1) {
              assertTrue(text(image).contains(".text." + image.kernel() + "\0"), image.toString());
            }
          }
        }
      }
    }
  }

  /** Of GPUs that have clusters, each size is in the same PTX. */
  @Test
  void clusters() {
    for (Batch batch : Batches.builtIn(10, 1)) {
      try (batch) {
        String function = batch.udf().cuda().function();
        for (int cluster : new int[] {2, 4, 8}) {
          KernelImage image =
              ShippedKernels.find(
                      batch.udf().getClass(), batch.call(), function, 90, OLD_DRIVER, cluster)
                  .orElseThrow();
          assertEquals(cluster, image.cluster());
          assertTrue(
              text(image).contains(".visible .entry " + image.kernel() + "("), image.toString());
        }
      }
    }
  }

  @Test
  void noneForAnOlderGpuOrDriverOrOtherTypes() {
    try (Batch batch = Batches.identity(10, 1)) {
      Class<?> udf = batch.udf().getClass();
      assertTrue(ShippedKernels.find(udf, batch.call(), "identity", 70, NEW_DRIVER, 1).isEmpty());
      assertTrue(ShippedKernels.find(udf, batch.call(), "identity", 90, 11080, 1).isEmpty());
      UdfCall floats = new UdfCall("identity", List.of(DataTypes.FloatType), DataTypes.FloatType);
      assertTrue(ShippedKernels.find(udf, floats, "identity", 90, NEW_DRIVER, 1).isEmpty());
      assertTrue(
          ShippedKernels.find(ShippedKernelsTest.class, batch.call(), "identity", 90, NEW_DRIVER, 1)
              .isEmpty());
    }
  }
}
