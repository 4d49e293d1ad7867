package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.device.CallFailedException;
import io.github.sparkgpusched.device.RecentCalls;
import io.github.sparkgpusched.device.SharedCalls;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.spark.network.client.RpcResponseCallback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an executor lends: its lanes, by their numbers. Thread-safe. */
final class Lender {
  private static final Logger LOG = LoggerFactory.getLogger(Lender.class);
  private static final int NONE = -1;

  /** Calls whose failures are remembered. */
  private static final int MOST_FAILED = 1000;

  private final Driver driver;
  private final ClassLoader loader;
  private final Runnable laneEnded;
  private final RecentCalls shared = new RecentCalls();

  /**
   * Calls that the driver is being asked for, by their numbers. Put in by the lane that asks, and
   * taken out by it once the call is kept, or it cannot be had: the next lane asks anew.
   */
  private final Map<Long, CompletableFuture<SharedCalls.Shared>> asked = new ConcurrentHashMap<>();

  /** Numbers of calls that have failed here. */
  private final Set<Long> failed = ConcurrentHashMap.newKeySet();

  @GuardedBy("this")
  private final Map<Integer, Lane> lanes = new HashMap<>();

  @GuardedBy("this")
  private int lastLane;

  @GuardedBy("this")
  private boolean closed;

  /** Null until the executor's scheduler is there. Written once. */
  private volatile Home home;

  /**
   * @param laneEnded is told when a core is not lent any more
   */
  Lender(Driver driver, ClassLoader loader, Runnable laneEnded) {
    this.laneEnded = laneEnded;
    this.driver = driver;
    this.loader = loader;
  }

  void begin(Home of) {
    home = of;
  }

  ClassLoader loader() {
    return loader;
  }

  /** Cores that could be lent now. */
  synchronized int idleCores() {
    Home of = home;
    if (of == null || closed) {
      return 0;
    }
    int waiting = 0;
    for (Lane lane : lanes.values()) {
      waiting += lane.isAtWork() ? 0 : 1; // else its core is not idle
    }
    int idle = of.scheduler().idleCores() - waiting;
    return Math.max(0, Math.min(idle, of.mostLent() - lanes.size()));
  }

  /** Whether jobs run here that may use cores of others. */
  boolean hasBorrowingJobs() {
    Home of = home;
    return of != null && of.scheduler().hasBorrowingJobs();
  }

  /**
   * A call, which the driver is asked for, unless it was asked lately, or another lane asks it now.
   *
   * @throws CancellationException if the driver does not answer
   */
  SharedCalls.Shared shared(long number) throws Exception {
    SharedCalls.Shared known = shared.get(number);
    if (known != null) {
      return known;
    }
    CompletableFuture<SharedCalls.Shared> mine = new CompletableFuture<>();
    CompletableFuture<SharedCalls.Shared> others = asked.putIfAbsent(number, mine);
    if (others != null) {
      return awaited(others);
    }
    try {
      SharedCalls.Shared meanwhile = shared.get(number);
      mine.complete(meanwhile == null ? ask(number) : meanwhile);
    } catch (Exception | Error e) {
      mine.completeExceptionally(e);
    } finally {
      asked.remove(number);
    }
    return awaited(mine);
  }

  private static SharedCalls.Shared awaited(CompletableFuture<SharedCalls.Shared> call)
      throws Exception {
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception why ? why : e;
    }
  }

  private SharedCalls.Shared ask(long number) {
    SharedCalls.Shared came;
    try {
      came = (SharedCalls.Shared) driver.ask(new Question.Want(number));
    } catch (Exception e) {
      // Which says nothing of the call: it is not refused.
      LOG.info("the driver does not say what call {} is", number, e);
      throw new CancellationException("the driver does not answer: " + e.getMessage());
    }
    if (came == null) {
      throw new IllegalStateException("the driver has no call " + number);
    }
    shared.put(came);
    return came;
  }

  /**
   * A function has failed in a lane. Its owner computes the row again, and reports what it finds:
   * said once of each call.
   */
  void failed(int lane, CallFailedException e) {
    if (failed.size() > MOST_FAILED) {
      failed.clear();
    }
    if (failed.add(e.call().number())) {
      LOG.warn("lane {}: a function failed on a lent row, which is left to its owner", lane, e);
    }
  }

  /** The number of a lane for a borrower, or -1 if there is no idle core. */
  synchronized int lend(ByteBuffer in, Link borrower) {
    boolean isKnown = in.get() == Message.PROTOCOL && in.get() == Message.order();
    if (!isKnown || idleCores() < 1) {
      return NONE;
    }
    String who = Message.text(in);
    int number = ++lastLane;
    Lane lane = new Lane(number, this, home, who, borrower);
    lanes.put(number, lane);
    home.laneBegan().run();
    Thread thread = new Thread(null, lane, "gpusched-guest-" + number, 0, false);
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      LOG.warn("Cannot start the thread of lane {}", number, e);
      ended(number);
      return NONE;
    }
    LOG.debug("executor {} has a core, as lane {}", who, number);
    return number;
  }

  private synchronized Lane lane(int number, Link borrower) {
    Lane lane = lanes.get(number);
    // Nobody uses what was lent to another.
    return lane == null || !lane.borrower().equals(borrower) ? null : lane;
  }

  void run(ByteBuffer in, Link borrower, RpcResponseCallback answer) {
    Lane lane = lane(in.getInt(), borrower);
    if (lane == null) {
      answer.onSuccess(Lane.left());
    } else {
      lane.add(in, answer);
    }
  }

  void cancel(ByteBuffer in, Link borrower) {
    Lane lane = lane(in.getInt(), borrower);
    if (lane != null) {
      lane.cancel(in.getLong());
    }
  }

  void takeBack(ByteBuffer in, Link borrower) {
    Lane lane = lane(in.getInt(), borrower);
    if (lane != null) {
      lane.end();
    }
  }

  /** A borrower's connection has ended. */
  void gone(Link borrower) {
    for (Lane lane : all()) {
      if (lane.borrower().equals(borrower)) {
        lane.end();
      }
    }
  }

  private synchronized List<Lane> all() {
    return new ArrayList<>(lanes.values());
  }

  void ended(int number) {
    synchronized (this) {
      lanes.remove(number);
    }
    home.laneEnded().run();
    laneEnded.run();
  }

  void close() {
    synchronized (this) {
      closed = true;
    }
    all().forEach(Lane::end);
  }
}
