package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.device.CallDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.spark.SparkConf;
import org.apache.spark.network.client.RpcResponseCallback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's part in sharing rows with others: what it borrows, a {@link RemoteDevice} a core,
 * and what it lends. One thread asks the driver, and takes cores. Thread-safe; whoever makes it
 * closes it.
 *
 * <p>What comes from another executor is data: functions come from the driver.
 */
public final class RemoteExecutors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteExecutors.class);

  private final String executorId;
  private final String host;
  private final Driver driver;
  private final LongSupplier nanoTime;
  private final Network network;
  private final Borrower borrower;
  private final Lender lender;
  private final Questions questions;
  private final Thread thread;

  /** When a core became idle last; 0 while none is. Written by the threads of tasks and lanes. */
  private volatile long idleSinceNanos;

  /** Tasks of this executor. Up and down by their threads. */
  private final AtomicInteger tasks = new AtomicInteger();

  private volatile boolean closed;

  /**
   * Listens from now on, and turns everybody away until {@link #begin}.
   *
   * @param host where others find this executor
   * @param secret of the application, from the driver
   */
  public RemoteExecutors(
      String executorId,
      String host,
      SparkConf conf,
      Driver driver,
      String secret,
      BorrowLimits limits) {
    this(executorId, host, driver, SparkNetwork.of(conf, host, secret), limits, System::nanoTime);
  }

  RemoteExecutors(
      String executorId,
      String host,
      Driver driver,
      Network network,
      BorrowLimits limits,
      LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.executorId = executorId;
    this.host = host;
    this.driver = driver;
    this.network = network;
    this.thread = new Thread(null, this::serve, "gpusched-remote", 0, false);
    thread.setDaemon(true);
    this.borrower = new Borrower(executorId, network, limits, nanoTime, this::wake);
    this.questions = new Questions(nanoTime.getAsLong());
    this.lender =
        new Lender(driver, Thread.currentThread().getContextClassLoader(), this::coreIsFree);
  }

  /** The cores of others as devices; the scheduler opens and closes them. */
  public List<? extends CallDevice> devices() {
    return List.copyOf(borrower.devices());
  }

  /** The executor's scheduler is there: it borrows and lends from now on. */
  public void begin(Home home) {
    lender.begin(home);
    network.begin(new Letters());
    idleSinceNanos = nanoTime.getAsLong();
    thread.start();
    LOG.info("executor {} shares cores with others, on {}:{}", executorId, host, network.port());
  }

  /**
   * How many cores of others there are for rows of a task.
   *
   * @param rowNanos what a row takes
   */
  public int cores(double rowNanos) {
    if (rowNanos < Waits.LEAST_ROW_NANOS || rowNanos > Waits.MOST_ROW_NANOS) {
      return 0;
    }
    borrower.needCores();
    return borrower.present();
  }

  /** A task has started here. */
  public void taskStarted() {
    tasks.incrementAndGet();
    if (lender.idleCores() == 0) {
      idleSinceNanos = 0;
    }
  }

  /** A task has ended here. */
  public void taskEnded() {
    if (tasks.decrementAndGet() == 0) {
      borrower.need().end();
    }
    coreIsFree();
  }

  private void coreIsFree() {
    if (lender.idleCores() > 0) {
      idleSinceNanos = nanoTime.getAsLong();
      wake();
    }
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  private void serve() {
    while (!closed) {
      long now = nanoTime.getAsLong();
      try {
        ask(now);
      } catch (InterruptedException e) {
        break;
      } catch (Exception | Error e) {
        // Whatever it is, jobs go on without them, and the next time may be better.
        LOG.debug("cores of other executors cannot be had now", e);
      }
      LockSupport.parkNanos(this, questions.waitNanos(now, borrower.need(), lender.idleCores()));
    }
  }

  private void ask(long now) throws Exception {
    if (lender.hasBorrowingJobs()) {
      borrower.needCores();
    }
    if (borrower.need().isSettled(now) && !borrower.takeOffers()) {
      questions.refused(now);
    }
    int idle = lender.idleCores();
    Questions.Next next =
        questions.next(now, borrower.need(), borrower.free(), idleSinceNanos, idle);
    if (next != Questions.Next.NONE) {
      LOG.debug("executor {} asks the driver: {}, with {} idle cores", executorId, next, idle);
    }
    switch (next) {
      case SEEK -> seek();
      case OFFER -> {
        if (offer(self(idle))) {
          questions.told(now);
        }
      }
      case NONE -> {}
    }
  }

  private Peer self(int cores) {
    return new Peer(executorId, host, network.port(), cores);
  }

  private void seek() throws Exception {
    if (driver.ask(new Question.Seek(self(borrower.free()))) instanceof Question.Peers found) {
      boolean had = true;
      for (Peer peer : found.peers()) {
        had &= borrower.take(peer);
      }
      if (!had) {
        questions.refused(nanoTime.getAsLong());
      }
    }
  }

  /** True if somebody was told of it. */
  private boolean offer(Peer self) throws Exception {
    if (!(driver.ask(new Question.Offer(self)) instanceof Question.Peers found)) {
      return false;
    }
    byte[] id = Message.utf8(self.executorId());
    byte[] at = Message.utf8(self.host());
    for (Peer peer : found.peers()) {
      ByteBuffer help = Message.HELP.begin(16 + id.length + at.length);
      Message.putText(help, id);
      Message.putText(help, at);
      help.putInt(self.port()).putInt(self.cores()).flip();
      try {
        network.to(peer).send(help);
      } catch (IOException e) {
        LOG.debug("executor {} wanted cores and cannot be reached", peer.executorId(), e);
      }
    }
    return !found.peers().isEmpty();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    lender.close();
    network.close();
  }

  private final class Letters implements Inbox {
    @Override
    public void receive(Link from, ByteBuffer message, RpcResponseCallback answer) {
      ByteBuffer in = Message.copy(message);
      switch (Message.of(in)) {
        case TAKE -> {
          int lane = lender.lend(in, from);
          questions.asked(lane > 0);
          answer.onSuccess(Message.buffer(4).putInt(lane).flip());
        }
        case RUN -> lender.run(in, from, answer);
        default -> throw new IllegalArgumentException("a message that has no answer");
      }
    }

    @Override
    public void receive(Link from, ByteBuffer message) {
      ByteBuffer in = Message.copy(message);
      switch (Message.of(in)) {
        case CANCEL -> lender.cancel(in, from);
        case GIVE -> lender.takeBack(in, from);
        case HELP -> {
          borrower.offered(in);
          wake();
        }
        default -> throw new IllegalArgumentException("a message that wants an answer");
      }
    }

    @Override
    public void gone(Link link) {
      lender.gone(link);
    }
  }
}
