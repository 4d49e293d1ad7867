package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.device.UdfCall;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Which kernel of the jar is taken; none of them runs here. */
class ShippedPtxTest {
  private static final int NEW_DRIVER = 13000;

  @Test
  void eachBuiltInFunctionHasAKernel() {
    for (Batch batch : Batches.builtIn(10, 1)) {
      try (batch) {
        String function = batch.udf().cuda().function();
        for (int architecture : new int[] {75, 80, 86, 89, 90, 100, 120}) {
          KernelImage image =
              ShippedPtx.find(
                      batch.udf().getClass(), batch.call(), function, architecture, NEW_DRIVER, 1)
                  .orElseThrow();
          assertTrue(
              image.ptx().contains(".visible .entry " + function + "_c1("), image.toString());
          assertTrue(
              image
                  .ptx()
                  .contains(
                      ".target sm_" + (architecture >= 90 ? 90 : architecture >= 80 ? 80 : 75)),
              image.toString());
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
              ShippedPtx.find(
                      batch.udf().getClass(), batch.call(), function, 90, NEW_DRIVER, cluster)
                  .orElseThrow();
          assertEquals(cluster, image.cluster());
          assertTrue(
              image.ptx().contains(".visible .entry " + image.kernel() + "("), image.toString());
        }
      }
    }
  }

  @Test
  void noneForAnOlderGpuOrDriverOrOtherTypes() {
    try (Batch batch = Batches.identity(10, 1)) {
      Class<?> udf = batch.udf().getClass();
      assertTrue(ShippedPtx.find(udf, batch.call(), "identity", 70, NEW_DRIVER, 1).isEmpty());
      assertTrue(ShippedPtx.find(udf, batch.call(), "identity", 90, 12040, 1).isEmpty());
      UdfCall floats = new UdfCall("identity", List.of(DataTypes.FloatType), DataTypes.FloatType);
      assertTrue(ShippedPtx.find(udf, floats, "identity", 90, NEW_DRIVER, 1).isEmpty());
      assertTrue(
          ShippedPtx.find(ShippedPtxTest.class, batch.call(), "identity", 90, NEW_DRIVER, 1)
              .isEmpty());
    }
  }

  @Test
  void ptxSaysWhichDriverItNeeds() {
    assertEquals(13000, ShippedPtx.needs("//\n.version 9.0\n.target sm_75"));
    assertEquals(12050, ShippedPtx.needs(".version 8.5\n"));
    assertEquals(0, ShippedPtx.needs("// none"));
  }
}
