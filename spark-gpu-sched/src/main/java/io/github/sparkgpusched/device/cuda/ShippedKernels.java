package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.device.UdfCall;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Kernels of the built-in functions that the jar brings as PTX and SASS. No state. */
final class ShippedKernels {
  private static final String FUNCTIONS = "io.github.sparkgpusched.functions";

  /** Architectures that there is PTX for, the newest first. */
  private static final int[] PTX = {90, 75};

  /** Architectures that there is SASS for, which runs on these alone. */
  private static final Set<Integer> SASS = Set.of(75, 80, 86, 89, 90);

  /** The CUDA version that the SASS is of: newer drivers load it too. */
  private static final int SASS_NEEDS = 12000;

  private ShippedKernels() {}

  /**
   * The kernel of a built-in function, if there is one for these types that this GPU and driver can
   * load.
   *
   * @param udfClass the UDF's class
   * @param architecture the GPU's compute capability, such as 90
   * @param driverVersion as the driver gives it, such as 12040
   * @param cluster blocks of threads of a cluster; 1 below compute capability 9.0
   */
  static Optional<KernelImage> find(
      Class<?> udfClass,
      UdfCall call,
      String function,
      int architecture,
      int driverVersion,
      int cluster) {
    if (!udfClass.getPackageName().equals(FUNCTIONS) || !isCompiledFor(udfClass, call, function)) {
      return Optional.empty();
    }
    String kernel = function + "_c" + cluster;
    if (SASS.contains(architecture) && driverVersion >= SASS_NEEDS) {
      String name = function + ".sm_" + architecture + ".cubin";
      byte[] sass = unpack("kernels/" + name + ".gz");
      String source = ""; // that of its PTX, none of which has such loads (ShippedKernelsTest)
      return Optional.of(KernelImage.ofSass(name + " " + kernel, kernel, sass, cluster, source));
    }
    for (int compiled : PTX) {
      if (compiled <= architecture) {
        String name = function + ".compute_" + compiled + ".ptx";
        String ptx = new String(unpack("kernels/" + name + ".gz"), StandardCharsets.US_ASCII);
        return PtxVersion.needs(ptx) <= driverVersion
            ? Optional.of(KernelImage.ofPtx(name + " " + kernel, kernel, ptx, cluster))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean isCompiledFor(Class<?> udfClass, UdfCall call, String function) {
    String wanted =
        function
            + KernelSource.types(call).stream()
                .map(type -> " " + type.substring("gpusched::".length()))
                .collect(Collectors.joining());
    return text(udfClass, "signatures")
        .lines()
        .map(line -> line.replaceAll("\\s+", " ").trim())
        .anyMatch(wanted::equals);
  }

  /** A resource of the jar that is compressed. */
  static byte[] unpack(String resource) {
    try (GZIPInputStream in =
        new GZIPInputStream(
            new ByteArrayInputStream(NativeFiles.resource(ShippedKernels.class, resource)))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Class<?> near, String resource) {
    try {
      return new String(NativeFiles.resource(near, resource), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
