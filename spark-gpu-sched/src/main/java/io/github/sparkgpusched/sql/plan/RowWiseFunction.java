package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;

/**
 * The function of a {@code ScalaUDF} that carries a {@link GpuUdf}: marks it for the planner, and
 * keeps the rule on nulls where the call stays row-wise.
 *
 * <p>Equal if it is the same UDF object, or the same text of a device, so that cached plans and
 * exchanges with the call are still found.
 */
@SuppressWarnings("unchecked")
class RowWiseFunction extends AnyArityFunction<Object> {
  private static final long serialVersionUID = 1L;

  private final GpuUdf udf;
  private final boolean nullForNull;
  private final String misfit;

  /**
   * @param nullForNull whether a null argument gives null without a call
   * @param misfit why the UDF cannot take its arguments, or null if nothing is wrong with them
   */
  RowWiseFunction(GpuUdf udf, boolean nullForNull, String misfit) {
    this.udf = udf;
    this.nullForNull = nullForNull;
    this.misfit = misfit;
  }

  /** The same function again. */
  RowWiseFunction(RowWiseFunction same) {
    this(same.udf, same.nullForNull, same.misfit);
  }

  final GpuUdf udf() {
    return udf;
  }

  /** Why the UDF cannot take the arguments of its call, as far as that is certain. */
  final Optional<String> misfit() {
    return Optional.ofNullable(misfit);
  }

  @Override
  final Object invoke(Object... arguments) {
    if (nullForNull) {
      for (Object argument : arguments) {
        if (argument == null) {
          return null;
        }
      }
    }
    if (udf instanceof TextUdf text) {
      throw text.noRowWiseForm();
    }
    try {
      return UdfCaller.call(udf, arguments);
    } catch (ClassCastException e) {
      throw misfit == null ? e : explained(e);
    } catch (Exception e) {
      throw RowWiseFunction.<RuntimeException>unchecked(e);
    }
  }

  private ClassCastException explained(ClassCastException e) {
    ClassCastException explained = new ClassCastException(e.getMessage() + " (" + misfit + ")");
    explained.initCause(e);
    return explained;
  }

  /**
   * Spark wraps whatever a UDF throws; it must see the UDF's own exception, as without the plugin.
   */
  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <E extends Exception> E unchecked(Exception e) throws E {
    throw (E) e;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof RowWiseFunction that
        && (that.udf == udf || (udf instanceof TextUdf && udf.equals(that.udf)))
        && that.nullForNull == nullForNull;
  }

  @Override
  public final int hashCode() {
    return udf instanceof TextUdf ? udf.hashCode() : System.identityHashCode(udf);
  }

  @Override
  public final String toString() {
    return udf.getClass().getName();
  }
}
