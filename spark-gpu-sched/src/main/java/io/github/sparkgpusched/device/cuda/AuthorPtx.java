package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.device.UdfCall;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kernels that authors have compiled by {@code cuda/compile-udf} and put beside their CUDA source.
 * No state.
 */
final class AuthorPtx {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorPtx.class);

  private AuthorPtx() {}

  /**
   * The kernel of a function, if its author has compiled it from this source, with the headers that
   * the plugin has, for these types, and so that this GPU and driver can load it. Logs why one that
   * is there is not used.
   *
   * @param udfClass the UDF's class, whose package and loader find the source
   * @param architecture the GPU's compute capability, such as 90
   * @param driverVersion as the driver gives it, such as 12040
   * @param cluster blocks of threads of a cluster; 1 below compute capability 9.0
   */
  static Optional<KernelImage> find(
      Class<?> udfClass,
      UdfCall call,
      CudaSource source,
      boolean takesNulls,
      int architecture,
      int driverVersion,
      int cluster)
      throws IOException {
    if (source.resource() == null) {
      return Optional.empty();
    }
    String base = source.resource() + "." + source.function();
    byte[] properties = bytes(udfClass, base + ".properties");
    if (properties == null) {
      return Optional.empty();
    }
    Properties compiled = new Properties();
    try {
      compiled.load(new ByteArrayInputStream(properties));
    } catch (IllegalArgumentException e) {
      notUsed(udfClass, source, base + ".properties is damaged (" + e.getMessage() + ")");
      return Optional.empty();
    }
    String types = String.join(" ", KernelSource.types(call));
    String made =
        types
            + ", takesNulls="
            + takesNulls
            + ", exact="
            + source.exact()
            + ", steps="
            + source.steps();
    String digest = digest(source.load(udfClass));
    OptionalInt best = best(compiled.getProperty("architectures", ""), architecture);
    String otherwise;
    String madeFor =
        compiled.get("types")
            + ", takesNulls="
            + compiled.get("takesNulls")
            + ", exact="
            + compiled.get("exact")
            + ", steps="
            + compiled.getProperty("steps", "false");
    if (!made.equals(madeFor)) {
      otherwise = "it is for " + madeFor + ", and the call is of " + made;
    } else if (!digest.equals(compiled.get("digest"))) {
      otherwise = "the source, or the plugin, is another than it was compiled with";
    } else if (best.isEmpty()) {
      otherwise = "none is for compute_" + architecture + " or older";
    } else {
      String name = base + ".compute_" + best.getAsInt() + ".ptx.gz";
      byte[] packed = bytes(udfClass, name);
      String ptx = packed == null ? "" : unpack(packed).orElse("");
      String kernel = source.function() + "_c" + cluster;
      if (!ptx.contains(" " + kernel + "(")) {
        otherwise = name + " is missing or damaged, or has no kernel " + kernel;
      } else if (PtxVersion.needs(ptx) > driverVersion) {
        otherwise = name + " is of a newer CUDA than the driver";
      } else {
        // With all of it: another jar's resource may have the same name.
        String key = String.join(" ", name, digest, made, kernel);
        return Optional.of(KernelImage.ofPtx(key, kernel, ptx, cluster));
      }
    }
    notUsed(udfClass, source, otherwise);
    return Optional.empty();
  }

  private static void notUsed(Class<?> udfClass, CudaSource source, String why) {
    LOG.warn(
        "the PTX beside {} of {} is not used: {}; compile it again with cuda/compile-udf",
        source.resource(),
        udfClass.getName(),
        why);
  }

  /** The greatest of some architectures that a GPU has or is above. */
  private static OptionalInt best(String architectures, int most) {
    return Arrays.stream(architectures.trim().split("\\s+"))
        .filter(number -> number.matches("[0-9]{2,3}"))
        .mapToInt(Integer::parseInt)
        .filter(number -> number <= most)
        .max();
  }

  /** As {@code cuda/compile-udf} makes it: of the source, then the headers by name. */
  private static String digest(String source) throws IOException {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(source.getBytes(StandardCharsets.UTF_8));
      for (String header : KernelSource.HEADERS.stream().sorted().toList()) {
        sha.update(NativeFiles.resource(AuthorPtx.class, "include/gpusched/" + header));
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Null if there is no such resource. */
  private static byte[] bytes(Class<?> near, String resource) throws IOException {
    try (InputStream in = near.getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  /** Empty if it is no whole packed file. */
  private static Optional<String> unpack(byte[] packed) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
