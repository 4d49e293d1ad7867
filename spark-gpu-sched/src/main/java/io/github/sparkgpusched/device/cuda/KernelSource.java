package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.device.UdfCall;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;

/**
 * The text of a module around a user's function that computes a row: see cuda/udf/README.md for the
 * function's parameters, and cuda/include/gpusched/udf.cuh for what is made of them. {@link
 * StagedCall} lays out what the kernel reads.
 *
 * @param kernel name of the kernel
 * @param text CUDA C++; includes the headers of {@link #HEADERS}
 */
record KernelSource(String kernel, String text) {
  /**
   * The headers that the text includes, directly or not; resources below {@code include/gpusched}.
   */
  static final List<String> HEADERS =
      List.of(
          "base.cuh",
          "range.cuh",
          "queue.cuh",
          "ring.cuh",
          "grid.cuh",
          "compute.cuh",
          "scheduler.cuh",
          "steps.cuh",
          "tally.cuh",
          "kernel.cuh",
          "columns.cuh",
          "device_context.cuh",
          "udf.cuh",
          "fdlibm.cuh",
          "fdlibm_arc.cuh",
          "fdlibm_bits.cuh",
          "fdlibm_exp.cuh",
          "fdlibm_log.cuh",
          "fdlibm_pow.cuh",
          "fdlibm_reduce.cuh",
          "fdlibm_root.cuh",
          "fdlibm_trig.cuh");

  /** Threads of a block: as the kernels are compiled for. */
  static final int BLOCK_THREADS = 256;

  /** Why a call cannot run on a GPU by its types, or empty if it can. */
  static Optional<String> unsupported(UdfCall call) {
    for (DataType type : call.argumentTypes()) {
      if (ColumnType.ofArgument(type).isEmpty()) {
        return Optional.of("CUDA functions take no argument of type " + type.simpleString());
      }
    }
    if (ColumnType.ofResult(call.resultType()).isEmpty()) {
      return Optional.of(
          "CUDA functions give no result of type " + call.resultType().simpleString());
    }
    return Optional.empty();
  }

  /**
   * Makes a module's text.
   *
   * @param call its types are supported
   * @param cuda the user's function
   * @param takesNulls whether it is called for rows with null arguments
   * @param source the text that has it
   * @param file what errors in that text are told of, with the text's own line numbers
   * @param cluster blocks of threads of a cluster; 1 for none
   * @throws IllegalArgumentException if the function is in steps, and the text lacks one of them
   */
  static KernelSource of(
      UdfCall call, CudaSource cuda, boolean takesNulls, String source, String file, int cluster) {
    String function = cuda.function();
    if (cuda.steps()) {
      requireSteps(function, source, file);
    }
    String types = String.join(", ", types(call));
    String text =
        """
        #include "gpusched/udf.cuh"
        %s#line 1 "%s"
        %s
        #line 1 "kernels of %s"
        %s(%s, %s, %s)
        GPUSCHED_KERNEL(%s, %s, %s)
        """
            .formatted(
                source.contains("strict_") ? "#include \"gpusched/fdlibm.cuh\"\n" : "",
                file.replace("\\", "/").replace("\"", "'"),
                source,
                function,
                cuda.steps() ? "GPUSCHED_STEP_UDF" : "GPUSCHED_UDF",
                function,
                takesNulls,
                types,
                function,
                cluster,
                cluster == 1 ? "" : "__cluster_dims__(%s, 1, 1)".formatted(cluster));
    return new KernelSource(function + "_c" + cluster, text);
  }

  /** Says which one is missing, before a compiler says it of the text around. */
  private static void requireSteps(String function, String source, String file) {
    for (String part : List.of("_state", "_init", "_step", "_done")) {
      if (!Pattern.compile("\\b" + function + part + "\\b").matcher(source).find()) {
        throw new IllegalArgumentException(
            "its CUDA function is in steps, and %s has no %s%s: give %s_state, %s_init, %s_step and %s_done, or leave inSteps() out"
                .formatted(file, function, part, function, function, function, function));
      }
    }
  }

  /** Names of the types that a kernel is made for: of the result, then of each argument. */
  static List<String> types(UdfCall call) {
    return Stream.concat(Stream.of(call.resultType()), call.argumentTypes().stream())
        .map(KernelSource::type)
        .toList();
  }

  private static String type(DataType type) {
    if (type instanceof ArrayType array) {
      return "gpusched::Array<" + type(array.elementType()) + ">";
    }
    return "gpusched::"
        + switch (ColumnType.ofArgument(type).orElseThrow()) {
          case BOOLEAN -> "Boolean";
          case BYTE -> "Byte";
          case SHORT -> "Short";
          case INT -> "Int";
          case LONG -> "Long";
          case FLOAT -> "Float";
          case DOUBLE -> "Double";
          case BYTES -> "Bytes";
          case ARRAY -> throw new IllegalArgumentException("an array of arrays");
        };
  }
}
