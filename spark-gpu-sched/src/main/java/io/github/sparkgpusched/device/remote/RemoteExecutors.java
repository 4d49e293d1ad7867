package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.TransportConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * An executor's part in sharing rows with others: what it borrows, a {@link RemoteDevice} a core,
 * and what it lends. One thread asks the driver, and takes cores. Thread-safe; whoever makes it
 * closes it.
 *
 * <p>Executors talk by Spark's transport, with its settings for authentication, encryption and TLS.
 * Where Spark asks for no authentication, a secret of the application guards the port all the same.
 * What comes from another executor is data: functions come from the driver.
 */
public final class RemoteExecutors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteExecutors.class);

  /** Rows that take less are not worth a journey. */
  private static final double LEAST_ROW_NANOS = 2_000;

  /** An executor that wants cores has wanted them for so long before it asks. */
  private static final long WANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  /** A core is offered after it was idle for so long. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** An executor that has not wanted cores for so long wants none. */
  private static final long NEEDED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** An offer is renewed: who was told of it may not have come. */
  private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long ACTIVE_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long REST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long TAKE_MILLIS = 2_000;

  /** A lender that was lost is not asked again for so long. */
  private static final long SHUN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String executorId;
  private final String host;
  private final String applicationId;
  private final Driver driver;
  private final long mostBlockBytes;
  private final TransportContext context;
  private final TransportServer server;
  private final TransportClientFactory clients;
  private final Lender lender;
  private final List<RemoteDevice> devices = new ArrayList<>();
  private final AtomicLong lastBlock = new AtomicLong();
  private final Thread thread;

  /** Why lenders cannot compute a call. */
  private final Map<Long, String> refusals = new ConcurrentHashMap<>();

  /** When a lender that was lost may be asked again. */
  @GuardedBy("shunned")
  private final Map<String, Long> shunned = new HashMap<>();

  /** Lenders that have offered cores. */
  @GuardedBy("offers")
  private final List<Peer> offers = new ArrayList<>();

  /** When cores were wanted last, by any task. */
  private volatile long neededNanos;

  /** Since when they have been wanted all the time. */
  private volatile long neededSinceNanos;

  private volatile boolean everNeeded;

  /** When a core became idle; 0 while none is. Written by the threads of tasks. */
  private volatile long idleSinceNanos;

  private volatile boolean closed;

  /**
   * @param secret of the application, from the driver
   * @param cores that it may use of others at once
   * @param mostBlockBytes that it sends at once
   */
  public RemoteExecutors(
      String executorId,
      String host,
      SparkConf conf,
      Driver driver,
      String secret,
      int cores,
      long mostBlockBytes) {
    this.executorId = executorId;
    this.host = host;
    this.applicationId = conf.getAppId();
    this.driver = driver;
    this.mostBlockBytes = mostBlockBytes;
    this.lender =
        new Lender(driver, Thread.currentThread().getContextClassLoader(), this::coreIsFree);
    TransportConf transport =
        SparkTransportConf.fromSparkConf(
            conf,
            "rpc",
            1,
            Option.empty(),
            Option.apply(SparkEnv.get().securityManager().getRpcSSLOptions()));
    SecretKeyHolder keys = new Secret(secret);
    this.context = new TransportContext(transport, new Handler());
    this.server = context.createServer(0, List.of(new AuthServerBootstrap(transport, keys)));
    this.clients =
        context.createClientFactory(
            List.of(new AuthClientBootstrap(transport, applicationId, keys)));
    for (int i = 0; i < cores; i++) {
      devices.add(new RemoteDevice("remote:" + i, this));
    }
    this.thread = new Thread(null, this::serve, "gpusched-remote", 0, false);
    thread.setDaemon(true);
  }

  /** The cores of others as devices; the scheduler opens and closes them. */
  public List<? extends CallDevice> devices() {
    return List.copyOf(devices);
  }

  /** The executor's scheduler is there: it borrows and lends from now on. */
  public void begin(Home home) {
    lender.begin(home);
    idleSinceNanos = System.nanoTime();
    thread.start();
    LOG.info("executor {} shares cores with others, on {}:{}", executorId, host, server.getPort());
  }

  /**
   * How many cores of others there are for rows of a task.
   *
   * @param rowNanos what a row takes
   */
  public int cores(double rowNanos) {
    if (rowNanos < LEAST_ROW_NANOS) {
      return 0;
    }
    need();
    int present = 0;
    for (RemoteDevice device : devices) {
      present += device.isPresent() ? 1 : 0;
    }
    return present;
  }

  /** A task has started here. */
  public void taskStarted() {
    if (lender.idleCores() == 0) {
      idleSinceNanos = 0;
    }
  }

  /** A task has ended here. */
  public void taskEnded() {
    coreIsFree();
  }

  private void coreIsFree() {
    if (lender.idleCores() > 0) {
      idleSinceNanos = System.nanoTime();
      LockSupport.unpark(thread);
    }
  }

  /** A task here has rows for cores of others. */
  void need() {
    long now = System.nanoTime();
    if (!everNeeded || now - neededNanos > NEEDED_NANOS) {
      neededSinceNanos = now;
      neededNanos = now;
      everNeeded = true;
      LockSupport.unpark(thread);
    } else {
      neededNanos = now;
    }
  }

  long nextBlock() {
    return lastBlock.incrementAndGet();
  }

  long mostBlockBytes() {
    return mostBlockBytes;
  }

  Optional<String> whyNot(long number) {
    return Optional.ofNullable(refusals.get(number));
  }

  /** A lender cannot compute these calls. */
  void refused(List<CallOnDevice> calls, String reason) {
    if (refusals.size() > 1000) {
      refusals.clear();
    }
    for (CallOnDevice call : calls) {
      if (refusals.put(call.call().number(), reason) == null) {
        LOG.warn("UDF '{}' stays on executor {}: {}", call.call().name(), executorId, reason);
      }
    }
  }

  /** A lender has not answered. */
  void lost(Lease lease, Throwable why) {
    synchronized (shunned) {
      shunned.put(lease.lender().executorId(), System.nanoTime() + SHUN_NANOS);
    }
    LOG.warn(
        "executor {} does not answer; its rows are computed here",
        lease.lender().executorId(),
        why);
  }

  private void serve() {
    QuestionRate rate = new QuestionRate(System.nanoTime());
    long sought = neededSinceNanos - 1;
    long seekAgain = System.nanoTime();
    long offered = 0;
    long offerAgain = System.nanoTime();
    while (!closed) {
      long now = System.nanoTime();
      boolean needed = everNeeded && now - neededNanos < NEEDED_NANOS;
      long idle = idleSinceNanos;
      boolean offers = !needed && idle != 0 && (idle != offered || now - offerAgain >= 0);
      try {
        if (needed && now - neededSinceNanos > WANTED_NANOS) {
          takeOffers();
          boolean seeks = neededSinceNanos != sought || now - seekAgain >= 0;
          if (seeks && free() > 0 && rate.mayAsk(now)) {
            sought = neededSinceNanos;
            seekAgain = now + NEEDED_NANOS;
            seek();
          }
        }
        if (offers && now - idle > IDLE_NANOS && rate.mayAsk(now)) {
          offered = idle;
          offerAgain = now + RENEW_NANOS;
          offer();
        }
      } catch (InterruptedException e) {
        break;
      } catch (Exception e) {
        LOG.debug("cores of other executors cannot be had now", e);
      }
      LockSupport.parkNanos(this, needed || offers ? ACTIVE_WAIT_NANOS : REST_WAIT_NANOS);
    }
  }

  private int free() {
    int free = 0;
    for (RemoteDevice device : devices) {
      free += device.isFree() ? 1 : 0;
    }
    return free;
  }

  private Peer self(int cores) {
    return new Peer(executorId, host, server.getPort(), cores);
  }

  private void seek() throws Exception {
    Object answer = driver.ask(new Question.Seek(self(free())));
    if (answer instanceof Question.Peers found) {
      for (Peer lender : found.peers()) {
        take(lender);
      }
    }
  }

  private void takeOffers() throws InterruptedException {
    List<Peer> all;
    synchronized (offers) {
      all = List.copyOf(offers);
      offers.clear();
    }
    for (Peer lender : all) {
      take(lender);
    }
  }

  private void offer() throws Exception {
    int cores = lender.idleCores();
    if (cores == 0) {
      return;
    }
    Peer self = self(cores);
    Object answer = driver.ask(new Question.Offer(self));
    if (answer instanceof Question.Peers found) {
      byte[] id = Message.utf8(self.executorId());
      byte[] at = Message.utf8(self.host());
      for (Peer borrower : found.peers()) {
        ByteBuffer help = Message.HELP.begin(16 + id.length + at.length);
        Message.putText(help, id);
        Message.putText(help, at);
        help.putInt(self.port()).putInt(cores).flip();
        clients.createClient(borrower.host(), borrower.port()).send(help);
      }
    }
  }

  /** Takes what a lender has, as far as there are devices for it. */
  private void take(Peer lender) throws InterruptedException {
    synchronized (shunned) {
      Long until = shunned.get(lender.executorId());
      if (until != null && System.nanoTime() - until < 0) {
        return;
      }
    }
    try {
      int left = lender.cores();
      for (RemoteDevice device : devices) {
        if (left > 0 && device.isFree()) {
          TransportClient client = clients.createClient(lender.host(), lender.port());
          byte[] id = Message.utf8(executorId);
          ByteBuffer take = Message.TAKE.begin(5 + id.length).put(Lender.order());
          Message.putText(take, id);
          int lane = client.sendRpcSync(take.flip(), TAKE_MILLIS).order(take.order()).getInt();
          if (lane < 0) {
            return;
          }
          LOG.info("{} is lane {} of executor {}", device.name(), lane, lender.executorId());
          device.bind(new Lease(lender, client, lane));
          left--;
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("executor {} lends nothing", lender.executorId(), e);
    }
  }

  private void helped(ByteBuffer in) {
    String id = Message.text(in);
    String at = Message.text(in);
    Peer peer = new Peer(id, at, in.getInt(), in.getInt());
    synchronized (offers) {
      if (offers.size() < devices.size()) {
        offers.add(peer);
      }
    }
    LockSupport.unpark(thread);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    lender.close();
    server.close();
    clients.close();
    context.close();
  }

  /** What comes from other executors. Threads of the network. */
  private final class Handler extends RpcHandler {
    private final StreamManager streams = new OneForOneStreamManager();

    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback answer) {
      ByteBuffer in = Message.copy(message);
      switch (Message.of(in)) {
        case TAKE -> answer.onSuccess(Message.buffer(4).putInt(lender.lend(in, client)).flip());
        case RUN -> lender.run(in, client, answer);
        default -> throw new IllegalArgumentException("a message that has no answer");
      }
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message) {
      ByteBuffer in = Message.copy(message);
      switch (Message.of(in)) {
        case CANCEL -> lender.cancel(in, client);
        case GIVE -> lender.takeBack(in, client);
        case HELP -> helped(in);
        default -> throw new IllegalArgumentException("a message that wants an answer");
      }
    }

    @Override
    public void channelInactive(TransportClient client) {
      lender.gone(client);
    }

    @Override
    public StreamManager getStreamManager() {
      return streams;
    }
  }

  /** One secret for all. */
  private record Secret(String secret) implements SecretKeyHolder {
    @Override
    public String getSaslUser(String application) {
      return "sparkgpusched";
    }

    @Override
    public String getSecretKey(String application) {
      return secret;
    }
  }
}
