package io.github.sparkgpusched.shims;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import scala.collection.JavaConverters;

/** {@code scala.jdk.javaapi.CollectionConverters}, which Scala 2.12 does not have. */
public final class CollectionConverters {
  private CollectionConverters() {}

  public static <T> scala.collection.mutable.Buffer<T> asScala(List<T> list) {
    return JavaConverters.asScalaBuffer(list);
  }

  public static <K, V> scala.collection.mutable.Map<K, V> asScala(Map<K, V> map) {
    return JavaConverters.mapAsScalaMap(map);
  }

  public static <T> scala.collection.Iterator<T> asScala(Iterator<T> iterator) {
    return JavaConverters.asScalaIterator(iterator);
  }

  public static <T> List<T> asJava(scala.collection.Seq<T> seq) {
    return JavaConverters.seqAsJavaList(seq);
  }

  public static <T> Iterable<T> asJava(scala.collection.Iterable<T> iterable) {
    return JavaConverters.asJavaIterable(iterable);
  }

  public static <T> Iterator<T> asJava(scala.collection.Iterator<T> iterator) {
    return JavaConverters.asJavaIterator(iterator);
  }

  public static <T> Set<T> asJava(scala.collection.Set<T> set) {
    return JavaConverters.setAsJavaSet(set);
  }

  public static <K, V> Map<K, V> asJava(scala.collection.Map<K, V> map) {
    return JavaConverters.mapAsJavaMap(map);
  }
}
