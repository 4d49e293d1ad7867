package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.PartialFunction;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractPartialFunction;

/** Between Java's and Scala's collections and functions. */
public final class Scala {
  private Scala() {}

  /** An immutable Scala sequence with a list's elements. */
  public static <T> Seq<T> seq(List<? extends T> list) {
    // From the end, as a Scala list grows at its head: planning a query makes many of them.
    scala.collection.immutable.List<T> seq = List$.MODULE$.<T>empty();
    for (int i = list.size() - 1; i >= 0; i--) {
      seq = seq.$colon$colon(list.get(i));
    }
    return seq;
  }

  /** A Java list with a sequence's elements. */
  public static <T> List<T> list(scala.collection.Seq<? extends T> seq) {
    List<T> list = new ArrayList<>(seq.length());
    scala.collection.Iterator<? extends T> elements = seq.iterator();
    while (elements.hasNext()) {
      list.add(elements.next());
    }
    return list;
  }

  /** An immutable Scala map with a map's entries. */
  @SuppressWarnings("unchecked") // a map with one more entry is a map of the same types
  public static <K, V> scala.collection.immutable.Map<K, V> map(Map<K, V> map) {
    scala.collection.immutable.Map<K, V> all = Map$.MODULE$.empty();
    for (Map.Entry<K, V> entry : map.entrySet()) {
      all =
          (scala.collection.immutable.Map<K, V>)
              (Object) all.updated(entry.getKey(), entry.getValue());
    }
    return all;
  }

  /** A set with a sequence's attributes. */
  public static AttributeSet set(Seq<Attribute> attributes) {
    return AttributeSet$.MODULE$.apply(Scala.<Attribute, Expression>map(attributes, a -> a));
  }

  public static <T, R> Seq<R> map(Seq<? extends T> seq, Function<? super T, ? extends R> f) {
    List<R> mapped = new ArrayList<>(seq.length());
    Scala.<T>list(seq).forEach(element -> mapped.add(f.apply(element)));
    return seq(mapped);
  }

  public static <T> Seq<T> concat(Seq<? extends T> first, Seq<? extends T> second) {
    List<T> both = list(first);
    both.addAll(Scala.<T>list(second));
    return seq(both);
  }

  /** A function defined everywhere, where Scala asks for a partial one. */
  public static <T, R> PartialFunction<T, R> total(Function<? super T, ? extends R> f) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(T argument) {
        return true;
      }

      @Override
      public R apply(T argument) {
        return f.apply(argument);
      }
    };
  }
}
