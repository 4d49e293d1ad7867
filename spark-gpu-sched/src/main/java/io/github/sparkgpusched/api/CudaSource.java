package io.github.sparkgpusched.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where the CUDA C++ text of a UDF is, and which of its {@code __device__} functions computes a
 * row. Immutable.
 *
 * <p>It is compiled so that arithmetic gives the bits that Java's gives: a product and a sum are
 * never fused into one rounding. Functions such as {@code exp} are another matter: those of CUDA
 * differ from Java's in the last bits, those of {@code gpusched/fdlibm.cuh}, such as {@code
 * strict_exp}, agree with {@link StrictMath}. See cuda/udf/README.md.
 *
 * @param resource path of a class path resource, relative to the UDF's class, or null if {@code
 *     text} is given
 * @param text the source itself, or null if {@code resource} is given
 * @param function name of the {@code __device__} function, a C identifier
 * @param exact whether the function gives the same bits as the UDF's Java form; see {@link
 *     #notExact()}
 * @param steps whether the function is written in steps; see {@link #inSteps()}
 */
public record CudaSource(
    String resource, String text, String function, boolean exact, boolean steps)
    implements Serializable {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public CudaSource {
    if ((resource == null) == (text == null)) {
      throw new IllegalArgumentException("a CudaSource needs exactly one of a resource and a text");
    }
    Objects.requireNonNull(function, "function");
    if (!IDENTIFIER.matcher(function).matches()) {
      throw new IllegalArgumentException(
          "'"
              + function
              + "' is not the name of a CUDA function: give a C identifier such as point_in_ring");
    }
  }

  /**
   * The source is a class path resource, resolved as {@link Class#getResource} does from the UDF's
   * class.
   */
  public static CudaSource resource(String path, String function) {
    return new CudaSource(Objects.requireNonNull(path, "path"), null, function, true, false);
  }

  /** The source is this text. */
  public static CudaSource text(String source, String function) {
    return new CudaSource(null, Objects.requireNonNull(source, "source"), function, true, false);
  }

  /**
   * The same source, whose results may differ from the Java form's in the last bits: it calls
   * CUDA's own {@code exp} and the like, or is faster with fused multiply-adds, which the compiler
   * then makes ({@code --fmad=true}). So that a query gives the same answer each time, cores take
   * no part in batches that such a function is in, unless no GPU of their executor can compute it,
   * or the last one fails.
   */
  public CudaSource notExact() {
    return new CudaSource(resource, text, function, false, steps);
  }

  /**
   * The same source, whose function {@code f} is written in steps: in the place of one {@code
   * __device__} function there are a structure {@code f_state} and three functions, {@code f_init},
   * {@code f_step} and {@code f_done}. A thread of a GPU whose row has ended then goes on with the
   * next one, whatever the rows beside it take. For rows whose costs differ from one to the next.
   */
  public CudaSource inSteps() {
    return new CudaSource(resource, text, function, exact, true);
  }

  /**
   * Reads the source.
   *
   * @param udf the UDF's class, whose loader and package find the resource
   * @throws IllegalArgumentException if the resource is not there
   */
  public String load(Class<?> udf) {
    if (text != null) {
      return text;
    }
    try (InputStream in = udf.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "the CUDA source '"
                + resource
                + "' of "
                + udf.getName()
                + " is not on the class path: put it beside the class in its jar, or begin the path"
                + " with '/'");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read the CUDA source '" + resource + "' of " + udf.getName(), e);
    }
  }
}
