package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.UdfCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** What the plugin asks of NVRTC, in a process that finds the test double of it: see NvrtcTest. */
final class NvrtcScenarios {
  private static final CudaSource TWICE =
      CudaSource.text("__device__ double twice(double x) { return 2 * x; }", "twice");

  private NvrtcScenarios() {}

  private record Twice(CudaSource cuda) implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double x) {
      return x == null ? null : 2 * x;
    }
  }

  /** Of each GPU, and exact or not, the options that NVRTC was given; or why there is no kernel. */
  static void nvrtcOptions() throws Exception {
    CudaKernels kernels =
        new CudaKernels(CudaScenarios.settings("cuda:*", null, 64 << 20), DriverLibrary.open());
    UdfCall call = new UdfCall("twice", List.of(DataTypes.DoubleType), DataTypes.DoubleType);
    for (CudaSource source : List.of(TWICE, TWICE.notExact())) {
      for (int architecture : new int[] {70, 80, 90, 120}) {
        CudaKernels.Kernel kernel = kernels.get(call, new Twice(source), architecture);
        System.out.println(
            (source.exact() ? "exact " : "fast ") + architecture + ": " + what(kernel));
      }
    }
  }

  private static String what(CudaKernels.Kernel kernel) {
    return kernel.failure() != null
        ? kernel.failure()
        : StandardCharsets.UTF_8
            .decode(kernel.image().code().duplicate())
            .toString()
            .lines()
            .toList()
            .get(1);
  }
}
