package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.RemoteKeys;
import io.github.sparkgpusched.config.RemoteMode;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.remote.BorrowLimits;
import io.github.sparkgpusched.device.remote.Matchmaker;
import io.github.sparkgpusched.device.remote.Question;
import io.github.sparkgpusched.device.remote.RemoteExecutors;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.serializer.SerializerInstance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Sets up what executors share, on the driver and on each of them. */
final class RemoteCores {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCores.class);

  private static final ClassTag<Object> TAG = ClassTag$.MODULE$.Object();

  private RemoteCores() {}

  private static boolean wanted(GpuSchedConfig config) {
    return config.get(RemoteKeys.REMOTE) == RemoteMode.AUTO
        && config.get(DeviceKeys.DEVICES).withHost();
  }

  /** The driver's part; null where nothing is shared. Ended by {@link SharedCalls#end}. */
  static Matchmaker serve(SparkContext sc, GpuSchedConfig config) {
    if (sc.isLocal() || !wanted(config)) {
      return null;
    }
    Matchmaker matchmaker = new Matchmaker(SharedCalls.start());
    sc.addSparkListener(
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            matchmaker.executorEnded(removed.executorId());
          }
        });
    return matchmaker;
  }

  /**
   * The answer to an executor's question, as bytes: an executor reads an answer of the driver with
   * the loader of Spark's own classes, which does not know those of {@code --jars}.
   */
  static Object answer(Matchmaker matchmaker, Question question) {
    Serializable answer = matchmaker.answer(question, System.nanoTime());
    if (answer == null) {
      return null;
    }
    ByteBuffer bytes = serializer().serialize(answer, TAG);
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    return array;
  }

  private static Object read(Object answer, ClassLoader loader) {
    return answer == null
        ? null
        : serializer().deserialize(ByteBuffer.wrap((byte[]) answer), loader, TAG);
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }

  /** An executor's part; null where nothing is shared. The caller closes it. */
  static RemoteExecutors join(PluginContext context, GpuSchedConfig config) {
    if (context.executorID().equals("driver") || !wanted(config)) {
      return null;
    }
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      Object joined = read(context.ask(new Question.Join(context.executorID())), loader);
      if (joined instanceof String secret) {
        return new RemoteExecutors(
            context.executorID(),
            // Not the context's, which an executor's has none of.
            SparkEnv.get().blockManager().blockManagerId().host(),
            context.conf(),
            question -> read(context.ask(question), loader),
            secret,
            new BorrowLimits(
                config.get(RemoteKeys.REMOTE_CORES), config.get(RemoteKeys.REMOTE_BLOCK_BYTES)));
      }
    } catch (Exception | LinkageError e) {
      // Work goes on without.
      LOG.warn("this executor shares no cores with others", e);
    }
    return null;
  }
}
