package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an executor borrows: a {@link RemoteDevice} for each core of others that it may have at
 * once. Thread-safe; only {@link #take} is one thread's.
 */
final class Borrower {
  private static final Logger LOG = LoggerFactory.getLogger(Borrower.class);

  private static final long TAKE_MILLIS = 2_000;

  /** A lender that does not answer is not asked again for so long. */
  private static final long SHUN_SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Who has taken longer to fail has not answered. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The same, if only the connection was lost. */
  private static final long SHUN_CUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int MOST_REFUSALS = 1000;

  /** A function that has failed so often elsewhere, and not here, is lent no more. */
  private static final int MOST_FAILURES = 3;

  private final String executorId;
  private final Network network;
  private final LongSupplier nanoTime;
  private final Runnable newNeed;
  private final BorrowLimits limits;
  private final long mostBlockBytes;
  private final List<RemoteDevice> devices = new ArrayList<>();
  private final Need need = new Need();
  private final AtomicLong lastBlock = new AtomicLong();
  private final AtomicLong lastLauncher = new AtomicLong();

  /** Why lenders cannot compute a call. */
  private final Map<Long, String> refusals = new ConcurrentHashMap<>();

  /** How often calls have failed at lenders. */
  private final Map<Long, Integer> failures = new ConcurrentHashMap<>();

  /** When a lender that was lost may be asked again. */
  @GuardedBy("shunned")
  private final Map<String, Long> shunned = new HashMap<>();

  private record Offer(Peer lender, long cameNanos) {}

  /** Of lenders that have cores. */
  @GuardedBy("offers")
  private final List<Offer> offers = new ArrayList<>();

  /**
   * @param newNeed is told when cores are wanted after a while in which none were; any thread
   */
  Borrower(
      String executorId,
      Network network,
      BorrowLimits limits,
      LongSupplier nanoTime,
      Runnable newNeed) {
    this.executorId = executorId;
    this.network = network;
    this.limits = limits;
    this.mostBlockBytes = Math.min(limits.blockBytes(), HeapRegions.mostBytes());
    this.nanoTime = nanoTime;
    this.newNeed = newNeed;
    for (int i = 0; i < limits.cores(); i++) {
      devices.add(new RemoteDevice(i, this));
    }
  }

  List<RemoteDevice> devices() {
    return devices;
  }

  Need need() {
    return need;
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** A task has rows for cores of others. */
  void needCores() {
    if (need.isNew(nanoTime())) {
      newNeed.run();
    }
  }

  int present() {
    int present = 0;
    for (RemoteDevice device : devices) {
      present += device.isPresent() ? 1 : 0;
    }
    return present;
  }

  /** How many more cores could be borrowed. */
  int free() {
    int free = 0;
    for (RemoteDevice device : devices) {
      free += device.isFree() ? 1 : 0;
    }
    return free;
  }

  long nextBlock() {
    return lastBlock.incrementAndGet();
  }

  long nextLauncher() {
    return lastLauncher.incrementAndGet();
  }

  /** A row that is larger stays here. */
  long mostRowBytes() {
    return limits.blockBytes();
  }

  /** Of several rows. */
  long mostBlockBytes() {
    return mostBlockBytes;
  }

  Optional<String> whyNot(long number) {
    return Optional.ofNullable(refusals.get(number));
  }

  /** A lender cannot compute these calls. */
  void refused(List<CallOnDevice> calls, String reason) {
    if (refusals.size() > MOST_REFUSALS) {
      refusals.clear();
    }
    for (CallOnDevice call : calls) {
      if (refusals.put(call.call().number(), reason) == null) {
        LOG.warn("UDF '{}' stays on executor {}: {}", call.call().name(), executorId, reason);
      }
    }
  }

  /**
   * The function of a call has failed at a lender, and its task has not: it may need what is there
   * in this executor alone.
   *
   * @param number the call's
   * @return true if it has done so too often: then it is {@link #refused}
   */
  boolean failed(List<CallOnDevice> calls, long number, String reason) {
    if (failures.size() > MOST_REFUSALS) {
      failures.clear();
    }
    if (failures.merge(number, 1, Integer::sum) < MOST_FAILURES) {
      return false;
    }
    List<CallOnDevice> these =
        calls.stream().filter(call -> call.call().number() == number).toList();
    refused(these, "it fails on other executors: " + reason);
    return !these.isEmpty();
  }

  /** A lender has not answered in time, or what it answers is no answer. */
  void silent(Lease lease, Throwable why) {
    lost(lease, why, SHUN_SILENT_NANOS);
  }

  /** The connection with a lender has ended. */
  void cut(Lease lease, Throwable why) {
    lost(lease, why, SHUN_CUT_NANOS);
  }

  private void lost(Lease lease, Throwable why, long shunNanos) {
    boolean isBound = devices.stream().anyMatch(device -> device.lease() == lease);
    boolean isNew = shun(lease.lender(), shunNanos);
    if (!isBound || !isNew) {
      return; // it was said of another block, or of another core of that lender
    }
    String lender = lease.lender().executorId();
    if (why == null || why instanceof IOException) {
      String what = why == null ? "it is silent, or gone" : why.toString();
      LOG.warn("executor {} does not answer ({}); its rows are computed here", lender, what);
    } else {
      LOG.warn("executor {} does not answer; its rows are computed here", lender, why);
    }
  }

  /** False if it was shunned already. */
  private boolean shun(Peer lender, long nanos) {
    synchronized (shunned) {
      Long before = shunned.put(lender.executorId(), nanoTime() + nanos);
      return before == null || nanoTime() - before >= 0;
    }
  }

  /** A lender says that it has cores: its id, host, port, cores. */
  void offered(ByteBuffer in) {
    String id = Message.text(in);
    String at = Message.text(in);
    Peer peer = new Peer(id, at, in.getInt(), in.getInt());
    synchronized (offers) {
      if (offers.size() < devices.size()) {
        offers.add(new Offer(peer, nanoTime()));
      }
    }
  }

  /** False if one of them had less than was said. */
  boolean takeOffers() throws InterruptedException {
    List<Offer> all;
    synchronized (offers) {
      all = List.copyOf(offers);
      offers.clear();
    }
    boolean had = true;
    for (Offer offer : all) {
      // Cores that were offered long ago have gone to somebody else, or are offered again.
      if (nanoTime() - offer.cameNanos() <= Matchmaker.WANTED_NANOS) {
        had &= take(offer.lender());
      }
    }
    return had;
  }

  /** Takes what a lender has, as far as there are devices for it; false if it had less. */
  boolean take(Peer lender) throws InterruptedException {
    synchronized (shunned) {
      Long until = shunned.get(lender.executorId());
      if (until != null && nanoTime() - until < 0) {
        return false;
      }
    }
    long begin = nanoTime();
    try {
      int left = lender.cores();
      for (RemoteDevice device : devices) {
        if (left > 0 && device.isFree()) {
          Link link = network.to(lender);
          byte[] id = Message.utf8(executorId);
          ByteBuffer take = Message.TAKE.begin(6 + id.length);
          take.put(Message.PROTOCOL).put(Message.order());
          Message.putText(take, id);
          long asked = nanoTime();
          int lane = link.ask(take.flip(), TAKE_MILLIS).getInt();
          if (lane < 0) {
            return false;
          }
          LOG.info("{} is lane {} of executor {}", device.name(), lane, lender.executorId());
          device.bind(new Lease(lender, link, lane), nanoTime() - asked);
          left--;
        }
      }
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("executor {} lends nothing", lender.executorId(), e);
      shun(lender, nanoTime() - begin > SILENT_NANOS ? SHUN_SILENT_NANOS : SHUN_CUT_NANOS);
      return false;
    }
  }
}
