package io.github.sparkgpusched.shims;

import java.lang.reflect.Method;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.network.netty.SparkTransportConf$;
import org.apache.spark.network.util.TransportConf;
import scala.Option;

/**
 * {@code SparkTransportConf.fromSparkConf}, which takes the settings of TLS from Spark 4.0 on
 * (SPARK-45427). Spark 3.5 has no TLS between executors.
 */
public final class TransportSettings {
  private TransportSettings() {}

  /** Those of Spark's RPC, for one thread. */
  public static TransportConf ofRpc(SparkConf conf, SecurityManager security) {
    try {
      for (Method method : SparkTransportConf$.class.getMethods()) {
        if (method.getName().equals("fromSparkConf")) {
          Object[] arguments = new Object[method.getParameterCount()];
          arguments[0] = conf;
          arguments[1] = "rpc";
          arguments[2] = 1;
          arguments[3] = Option.empty();
          if (arguments.length > 4) {
            arguments[4] =
                Option.apply(SecurityManager.class.getMethod("getRpcSSLOptions").invoke(security));
          }
          return (TransportConf) method.invoke(SparkTransportConf$.MODULE$, arguments);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of Spark sets up its transport otherwise", e);
    }
    throw new IllegalStateException(
        "this version of Spark has no SparkTransportConf.fromSparkConf");
  }
}
