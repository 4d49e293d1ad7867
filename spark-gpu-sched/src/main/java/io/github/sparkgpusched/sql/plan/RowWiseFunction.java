package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdf;
import java.io.Serializable;
import java.util.Optional;
import scala.Function0;
import scala.Function1;
import scala.Function10;
import scala.Function11;
import scala.Function12;
import scala.Function13;
import scala.Function14;
import scala.Function15;
import scala.Function16;
import scala.Function17;
import scala.Function18;
import scala.Function19;
import scala.Function2;
import scala.Function20;
import scala.Function21;
import scala.Function22;
import scala.Function3;
import scala.Function4;
import scala.Function5;
import scala.Function6;
import scala.Function7;
import scala.Function8;
import scala.Function9;

/**
 * The function of a {@code ScalaUDF} that carries a {@link GpuUdf}: marks it for the planner, and
 * keeps the rule on nulls where the call stays row-wise. It is a Scala function of every number of
 * arguments, as {@code ScalaUDF} casts it to the one that it needs.
 *
 * <p>Equal if it is the same UDF object, or the same CUDA text, so that cached plans and exchanges
 * with the call are still found.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
final class RowWiseFunction
    implements Serializable,
        Function0,
        Function1,
        Function2,
        Function3,
        Function4,
        Function5,
        Function6,
        Function7,
        Function8,
        Function9,
        Function10,
        Function11,
        Function12,
        Function13,
        Function14,
        Function15,
        Function16,
        Function17,
        Function18,
        Function19,
        Function20,
        Function21,
        Function22 {
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

  GpuUdf udf() {
    return udf;
  }

  /** Why the UDF cannot take the arguments of its call, as far as that is certain. */
  Optional<String> misfit() {
    return Optional.ofNullable(misfit);
  }

  private Object invoke(Object... arguments) {
    if (nullForNull) {
      for (Object argument : arguments) {
        if (argument == null) {
          return null;
        }
      }
    }
    if (udf instanceof DeviceTextUdf text) {
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
  public boolean equals(Object other) {
    return other instanceof RowWiseFunction that
        && (that.udf == udf || (udf instanceof DeviceTextUdf && udf.equals(that.udf)))
        && that.nullForNull == nullForNull;
  }

  @Override
  public int hashCode() {
    return udf instanceof DeviceTextUdf ? udf.hashCode() : System.identityHashCode(udf);
  }

  @Override
  public String toString() {
    return udf.getClass().getName();
  }

  /** Of the many that Scala's traits have; nobody curries a UDF. */
  @Override
  public Function1 curried() {
    throw new UnsupportedOperationException("curried");
  }

  @Override
  public Function1 tupled() {
    throw new UnsupportedOperationException("tupled");
  }

  @Override
  public Object apply() {
    return invoke();
  }

  @Override
  public Object apply(Object a0) {
    return invoke(a0);
  }

  @Override
  public Object apply(Object a0, Object a1) {
    return invoke(a0, a1);
  }

  @Override
  public Object apply(Object a0, Object a1, Object a2) {
    return invoke(a0, a1, a2);
  }

  @Override
  public Object apply(Object a0, Object a1, Object a2, Object a3) {
    return invoke(a0, a1, a2, a3);
  }

  @Override
  public Object apply(Object a0, Object a1, Object a2, Object a3, Object a4) {
    return invoke(a0, a1, a2, a3, a4);
  }

  @Override
  public Object apply(Object a0, Object a1, Object a2, Object a3, Object a4, Object a5) {
    return invoke(a0, a1, a2, a3, a4, a5);
  }

  @Override
  public Object apply(Object a0, Object a1, Object a2, Object a3, Object a4, Object a5, Object a6) {
    return invoke(a0, a1, a2, a3, a4, a5, a6);
  }

  @Override
  public Object apply(
      Object a0, Object a1, Object a2, Object a3, Object a4, Object a5, Object a6, Object a7) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15,
      Object a16) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15,
      Object a16,
      Object a17) {
    return invoke(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15,
      Object a16,
      Object a17,
      Object a18) {
    return invoke(
        a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15,
      Object a16,
      Object a17,
      Object a18,
      Object a19) {
    return invoke(
        a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15,
      Object a16,
      Object a17,
      Object a18,
      Object a19,
      Object a20) {
    return invoke(
        a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
        a20);
  }

  @Override
  public Object apply(
      Object a0,
      Object a1,
      Object a2,
      Object a3,
      Object a4,
      Object a5,
      Object a6,
      Object a7,
      Object a8,
      Object a9,
      Object a10,
      Object a11,
      Object a12,
      Object a13,
      Object a14,
      Object a15,
      Object a16,
      Object a17,
      Object a18,
      Object a19,
      Object a20,
      Object a21) {
    return invoke(
        a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
        a20, a21);
  }
}
