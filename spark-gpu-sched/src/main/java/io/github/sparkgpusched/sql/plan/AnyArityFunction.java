package io.github.sparkgpusched.sql.plan;

import java.io.Serializable;
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
 * A Scala function of every number of arguments, as {@code ScalaUDF} casts its function to the one
 * that it needs.
 *
 * @param <O> of each argument, and of the result
 */
@SuppressWarnings({"rawtypes", "unchecked"})
abstract class AnyArityFunction<O>
    implements Serializable,
        Function0<O>,
        Function1<O, O>,
        Function2<O, O, O>,
        Function3<O, O, O, O>,
        Function4<O, O, O, O, O>,
        Function5<O, O, O, O, O, O>,
        Function6<O, O, O, O, O, O, O>,
        Function7<O, O, O, O, O, O, O, O>,
        Function8<O, O, O, O, O, O, O, O, O>,
        Function9<O, O, O, O, O, O, O, O, O, O>,
        Function10<O, O, O, O, O, O, O, O, O, O, O>,
        Function11<O, O, O, O, O, O, O, O, O, O, O, O>,
        Function12<O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function13<O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function14<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function15<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function16<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function17<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function18<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function19<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function20<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function21<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
        Function22<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O> {
  private static final long serialVersionUID = 1L;

  /** What all forms of {@code apply} do. */
  abstract O invoke(Object... arguments);

  /** Of the many that Scala's traits have; nobody curries a UDF. */
  @Override
  public final Function1 curried() {
    throw new UnsupportedOperationException("curried");
  }

  @Override
  public final Function1 tupled() {
    throw new UnsupportedOperationException("tupled");
  }

  @Override
  public final O apply() {
    return invoke();
  }

  @Override
  public final O apply(O a) {
    return invoke(a);
  }

  @Override
  public final O apply(O a, O b) {
    return invoke(a, b);
  }

  @Override
  public final O apply(O a, O b, O c) {
    return invoke(a, b, c);
  }

  @Override
  public final O apply(O a, O b, O c, O d) {
    return invoke(a, b, c, d);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e) {
    return invoke(a, b, c, d, e);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f) {
    return invoke(a, b, c, d, e, f);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g) {
    return invoke(a, b, c, d, e, f, g);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h) {
    return invoke(a, b, c, d, e, f, g, h);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i) {
    return invoke(a, b, c, d, e, f, g, h, i);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j) {
    return invoke(a, b, c, d, e, f, g, h, i, j);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  }

  @Override
  public final O apply(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  }

  @Override
  public final O apply(
      O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }

  @Override
  public final O apply(
      O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  }

  @Override
  public final O apply(
      O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q, O r) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  }

  @Override
  public final O apply(
      O a,
      O b,
      O c,
      O d,
      O e,
      O f,
      O g,
      O h,
      O i,
      O j,
      O k,
      O l,
      O m,
      O n,
      O o,
      O p,
      O q,
      O r,
      O s) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  }

  @Override
  public final O apply(
      O a,
      O b,
      O c,
      O d,
      O e,
      O f,
      O g,
      O h,
      O i,
      O j,
      O k,
      O l,
      O m,
      O n,
      O o,
      O p,
      O q,
      O r,
      O s,
      O t) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  }

  @Override
  public final O apply(
      O a,
      O b,
      O c,
      O d,
      O e,
      O f,
      O g,
      O h,
      O i,
      O j,
      O k,
      O l,
      O m,
      O n,
      O o,
      O p,
      O q,
      O r,
      O s,
      O t,
      O u) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  }

  @Override
  public final O apply(
      O a,
      O b,
      O c,
      O d,
      O e,
      O f,
      O g,
      O h,
      O i,
      O j,
      O k,
      O l,
      O m,
      O n,
      O o,
      O p,
      O q,
      O r,
      O s,
      O t,
      O u,
      O v) {
    return invoke(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  }
}
