package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.GpuSchedPlugin;
import io.github.sparkgpusched.device.remote.Peer;
import io.github.sparkgpusched.device.remote.Question;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The plugin, whose driver tells executors of proxies in place of each other. Who lends to whom is
 * the plugin's own decision, but for one thing: a lender would go to a borrower by itself and name
 * its own port, so the borrower hears of it from the driver instead.
 */
public final class ProxiedPlugin implements SparkPlugin {
  private static final ClassTag<Object> TAG = ClassTag$.MODULE$.Object();

  /** Nobody listens there. */
  private static final Peer NOBODY = new Peer("nobody", "127.0.0.1", 1, 0);

  /** By executor. */
  private static final Map<String, Proxy> PROXIES = new ConcurrentHashMap<>();

  /** The proxy before an executor; null if it has offered nothing yet. */
  static Proxy before(String executor) {
    return PROXIES.get(executor);
  }

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver(new GpuSchedPlugin().driverPlugin());
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new GpuSchedPlugin().executorPlugin();
  }

  private static Peer proxied(Peer peer) {
    Proxy proxy =
        PROXIES.computeIfAbsent(
            peer.executorId(),
            id -> {
              try {
                return new Proxy(peer.host(), peer.port());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return new Peer(peer.executorId(), "127.0.0.1", proxy.port(), peer.cores());
  }

  private static final class Driver implements DriverPlugin {
    private final DriverPlugin plugin;

    /** Lenders that a borrower is told of when it asks next, by borrower and lender. */
    private final Map<String, Map<String, Peer>> waiting = new ConcurrentHashMap<>();

    Driver(DriverPlugin plugin) {
      this.plugin = plugin;
    }

    @Override
    public Map<String, String> init(SparkContext context, PluginContext own) {
      return plugin.init(context, own);
    }

    @Override
    public void registerMetrics(String application, PluginContext own) {
      plugin.registerMetrics(application, own);
    }

    @Override
    public Object receive(Object message) throws Exception {
      if (message instanceof Question.Offer offer) {
        Peer lender = proxied(offer.lender());
        List<Peer> borrowers = peers(new Question.Offer(lender));
        for (Peer borrower : borrowers) {
          waiting
              .computeIfAbsent(borrower.executorId(), id -> new ConcurrentHashMap<>())
              .put(lender.executorId(), lender);
        }
        // Whoever was told of somebody offers again after a second, else after ten.
        return bytes(new Question.Peers(borrowers.isEmpty() ? List.of() : List.of(NOBODY)));
      } else if (message instanceof Question.Seek seek) {
        Peer borrower = proxied(seek.borrower());
        List<Peer> found = new ArrayList<>(peers(new Question.Seek(borrower)));
        Map<String, Peer> more = waiting.remove(borrower.executorId());
        if (more != null) {
          found.addAll(more.values());
        }
        return bytes(new Question.Peers(found));
      }
      return plugin.receive(message);
    }

    private List<Peer> peers(Question question) throws Exception {
      byte[] answer = (byte[]) plugin.receive(question);
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return ((Question.Peers) serializer().deserialize(ByteBuffer.wrap(answer), loader, TAG))
          .peers();
    }

    private static byte[] bytes(Serializable answer) {
      ByteBuffer bytes = serializer().serialize(answer, TAG);
      byte[] array = new byte[bytes.remaining()];
      bytes.get(array);
      return array;
    }

    private static SerializerInstance serializer() {
      return SparkEnv.get().closureSerializer().newInstance();
    }

    @Override
    public void shutdown() {
      plugin.shutdown();
    }
  }
}
