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

  /** SASS for the architectures that there is some for, whatever the driver; else PTX. */
  @Test
  void eachBuiltInFunctionHasAKernel() {
    int[][] gpus = {
      {75, 0}, {80, 0}, {86, 0}, {89, 0}, {90, 0}, {87, 75}, {100, 90}, {103, 90}, {120, 90}
    };
    for (Batch batch : Batches.builtIn(10, 1)) {
      try (batch) {
        String function = batch.udf().cuda().orElseThrow().function();
        for (int[] gpu : gpus) {
          for (int driver : new int[] {OLD_DRIVER, NEW_DRIVER}) {
            for (int cluster : gpu[0] < 90 ? new int[] {1} : new int[] {1, 8}) {
              KernelImage image =
                  ShippedKernels.find(
                          batch.udf().getClass(), batch.call(), function, gpu[0], driver, cluster)
                      .orElseThrow();
              assertTrue(image.mayStay(), image.toString());
              assertEquals(gpu[1] == 0, text(image).startsWith("\u007fELF"), image.toString());
              String has =
                  gpu[1] == 0
                      ? ".text." + image.kernel() + "\0"
                      : ".visible .entry " + image.kernel() + "(";
              assertTrue(text(image).contains(has), image.toString());
              if (gpu[1] == 0) {
                assertEquals(gpu[0], architecture(image), image.toString());
              } else {
                assertTrue(text(image).contains(".target sm_" + gpu[1]), image.toString());
              }
            }
          }
        }
      }
    }
  }

  /** The architecture that an ELF file with SASS says that it is for: the low byte of its flags. */
  private static int architecture(KernelImage image) {
    return image.code().get(48) & 0xFF;
  }

  /** Of GPUs that have clusters, each size is in the same PTX. */
  @Test
  void clusters() {
    for (Batch batch : Batches.builtIn(10, 1)) {
      try (batch) {
        String function = batch.udf().cuda().orElseThrow().function();
        for (int cluster : new int[] {2, 4, 8}) {
          KernelImage image =
              ShippedKernels.find(
                      batch.udf().getClass(), batch.call(), function, 100, OLD_DRIVER, cluster)
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
