package io.github.sparkgpusched.shims;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/** Pages of Spark's web UI. */
public final class Pages {
  /** A name, as the class may not be there. */
  private static final String REQUEST = "jakarta.servlet.http.HttpServletRequest";

  private Pages() {}

  /**
   * Why this Spark's web UI cannot have pages of ours; empty if it can. Spark 4.0 went from {@code
   * javax.servlet} to {@code jakarta.servlet} (SPARK-47118), and some vendors' Spark 4.0 did not.
   */
  public static Optional<String> whyNot() {
    return whyNot(WebUIPage.class);
  }

  static Optional<String> whyNot(Class<?> page) {
    for (Method method : page.getMethods()) {
      if (method.getName().equals("render") && method.getParameterCount() == 1) {
        String request = method.getParameterTypes()[0].getName();
        return request.equals(REQUEST)
            ? Optional.empty()
            : Optional.of("its pages are given " + request + ", and ours take " + REQUEST);
      }
    }
    return Optional.of("its pages have no method render");
  }

  /**
   * {@code UIUtils.headerSparkPage}, whose parameters after the tab differ between versions: a help
   * text, then switches for scripts that our page does not use (Spark 4.2 has one more,
   * SPARK-56354).
   */
  @SuppressWarnings("unchecked")
  public static Seq<Node> withHeader(
      HttpServletRequest request, SparkUITab tab, Function0<Seq<Node>> content) {
    for (Method method : UIUtils$.class.getMethods()) {
      if (method.getName().equals("headerSparkPage")) {
        Object[] arguments = new Object[method.getParameterCount()];
        arguments[0] = request;
        arguments[1] = tab.name();
        arguments[2] = content;
        arguments[3] = tab;
        arguments[4] = Option.empty();
        for (int i = 5; i < arguments.length; i++) {
          arguments[i] = false;
        }
        try {
          return (Seq<Node>) method.invoke(UIUtils$.MODULE$, arguments);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException("this version of Spark makes pages in another way", e);
        }
      }
    }
    throw new IllegalStateException("this version of Spark has no UIUtils.headerSparkPage");
  }
}
