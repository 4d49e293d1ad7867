package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * What the API says of the form that a UDF has for devices. The only class of {@code sql} that
 * names a kind of device, because the API does: that form is {@link GpuUdf#cuda()}, and clients
 * call texts of that language by {@code gpusched_cuda}. To all others a language is a value.
 */
public final class DeviceForm {
  private static final String NOWHERE = "runs on no CUDA device: ";

  /** Sources that were looked at: queries are planned all the time. */
  private static final ClassValue<Map<CudaSource, Optional<String>>> FLAWS =
      new ClassValue<>() {
        @Override
        protected Map<CudaSource, Optional<String>> computeValue(Class<?> udf) {
          return new ConcurrentHashMap<>();
        }
      };

  private DeviceForm() {}

  /** The languages in which queries may give functions as text. */
  public static List<TextFunctions> texts() {
    return List.of(new TextFunctions("CUDA", "cuda", CudaText::of));
  }

  /**
   * Whether it gives the same bits as the Java form. True if there is none.
   *
   * @throws RuntimeException or LinkageError, as {@code cuda()} of the UDF does
   */
  static boolean isExact(GpuUdf udf) {
    return udf.cuda().map(CudaSource::exact).orElse(true);
  }

  /** Whether there is one. No, if it cannot be had on the driver: executors with GPUs say why. */
  static boolean isThere(GpuUdf udf) {
    try {
      return udf.cuda().isPresent();
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }

  /**
   * Refuses null, which means nothing: only an executor with a GPU would find out.
   *
   * @param name what the query calls the UDF
   * @throws GpuUdfException if {@code cuda()} gives null
   */
  static void requireNotNull(GpuUdf udf, String name) {
    Optional<CudaSource> source;
    try {
      source = udf.cuda();
    } catch (RuntimeException | LinkageError e) {
      // Executors with GPUs say why, and compute the call on their cores.
      return;
    }
    if (source == null) {
      throw new GpuUdfException(
          "UDF '"
              + name
              + "' ("
              + udf.getClass().getName()
              + ") gives null for cuda(): give Optional.of(CudaSource.resource(path, function)), or"
              + " Optional.empty() if it has no CUDA function",
          null);
    }
  }

  /**
   * What is wrong with it, as far as its text tells without a compiler, to follow the UDF's name.
   * Without a GPU nobody else would say: all rows are computed on cores.
   */
  static Optional<String> flaw(GpuUdf udf) {
    try {
      return udf.cuda()
          .filter(source -> source.resource() != null)
          .flatMap(
              source ->
                  FLAWS
                      .get(udf.getClass())
                      .computeIfAbsent(source, looked -> flaw(looked, udf.getClass())));
    } catch (RuntimeException | LinkageError e) {
      return Optional.empty(); // executors with GPUs say why
    }
  }

  private static Optional<String> flaw(CudaSource source, Class<?> udf) {
    String text;
    try {
      text = source.load(udf);
    } catch (IllegalArgumentException e) {
      return Optional.of(NOWHERE + e.getMessage());
    }
    String function = source.function() + (source.steps() ? "_step" : "");
    boolean there = Pattern.compile("\\b" + function + "\\b").matcher(text).find();
    boolean elsewhere = text.contains("#include") || text.contains("##");
    return there || elsewhere
        ? Optional.empty()
        : Optional.of(
            NOWHERE
                + "the CUDA source '"
                + source.resource()
                + "' of "
                + udf.getName()
                + " has no function '"
                + function
                + "': give the name of its __device__ function to CudaSource.resource");
  }

  private record CudaText(String name, String language, CudaSource source) implements TextUdf {
    static TextUdf of(TextFunctions.Text text) {
      CudaSource source = CudaSource.text(text.source(), text.function());
      source = text.exact() ? source : source.notExact();
      source = text.steps() ? source.inSteps() : source;
      return new CudaText(text.name(), text.language(), source);
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(source);
    }
  }
}
