package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.device.UdfCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.types.DataTypes;

/**
 * Bytes as what is beside an author's CUDA source: properties, a line that ends them, and PTX,
 * packed or not. What is no such thing is left out, and the source compiled.
 */
public final class AuthorPtxFuzz {
  private static final String SOURCE = "__device__ double doubled(double x) { return 2 * x; }";
  private static final UdfCall CALL =
      new UdfCall("doubled", List.of(DataTypes.DoubleType), DataTypes.DoubleType);

  private AuthorPtxFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) {
    int end = 0;
    while (end < data.length && data[end] != 0) {
      end++;
    }
    byte[] properties = Arrays.copyOf(data, end);
    byte[] ptx = Arrays.copyOfRange(data, Math.min(data.length, end + 1), data.length);
    boolean packed = data.length > 0 && (data[0] & 1) == 0;
    try {
      Class<?> udf =
          new Jar(properties, packed ? pack(ptx) : ptx).loadClass(Doubled.class.getName());
      AuthorPtx.find(udf, CALL, new Doubled().cuda().orElseThrow(), false, 90, 12040, 1);
      PtxVersion.needs(new String(ptx, StandardCharsets.US_ASCII));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cudaText(
        new String(properties, StandardCharsets.UTF_8), new String(ptx, StandardCharsets.UTF_8));
  }

  /** A source and a function's name as a query gives them. */
  private static void cudaText(String function, String source) {
    try {
      for (CudaSource text :
          List.of(CudaSource.text(source, function), CudaSource.text(source, function).inSteps())) {
        KernelSource.of(CALL, text, false, source, function + ".cu", 1).text();
      }
    } catch (IllegalArgumentException e) {
      if (e instanceof java.util.regex.PatternSyntaxException) {
        throw e;
      }
      // says what is wrong with it
    }
  }

  private static byte[] pack(byte[] text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text);
    }
    return packed.toByteArray();
  }

  /** An author's jar: the class, and resources beside it. */
  private static final class Jar extends ClassLoader {
    private final byte[] properties;
    private final byte[] ptx;

    Jar(byte[] properties, byte[] ptx) {
      super(AuthorPtxFuzz.class.getClassLoader());
      this.properties = properties;
      this.ptx = ptx;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Doubled.class.getName())) {
        return super.loadClass(name, resolve);
      }
      try {
        byte[] code = NativeFiles.resource(Doubled.class, "Doubled.class");
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      if (name.endsWith(".properties")) {
        return new ByteArrayInputStream(properties);
      }
      if (name.endsWith(".ptx.gz")) {
        return new ByteArrayInputStream(ptx);
      }
      return name.endsWith(".cu")
          ? new ByteArrayInputStream(SOURCE.getBytes(StandardCharsets.UTF_8))
          : super.getResourceAsStream(name);
    }
  }
}
