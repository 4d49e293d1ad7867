package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The thread of a core that may be borrowed: claims blocks, sends them, and publishes what comes
 * back; as {@code DeviceOwner} with a {@code RemoteDevice}.
 */
final class Owner {
  private static final long BLOCK_HEAD_BYTES = 80;

  final int index;
  private final Node node;
  private final Setting setting;
  private final Rules rules;
  private final Events events;
  private final LaunchCosts launches;

  /** In the order of their claims. */
  private final Deque<Block> flights = new ArrayDeque<>();

  /** Jobs that it has looked at, and whether their dealer counts on it. */
  private final Map<BatchJob, Boolean> joined = new HashMap<>();

  private Lease lease;
  private long usedNanos;
  private long askAgain;
  private boolean rests;
  private int turn;
  private boolean woken;

  Owner(int index, Node node) {
    this.index = index;
    this.node = node;
    this.setting = node.setting;
    this.rules = setting.rules;
    this.events = node.events;
    this.launches = new LaunchCosts(rules.launchNanos);
  }

  WorkerSpec spec() {
    return WorkerSpec.staged(1, launches.nanos(), 0, rules.depth);
  }

  boolean isPresent() {
    return lease != null && lease.holds;
  }

  boolean isFree() {
    return lease == null;
  }

  int inFlight() {
    return flights.size();
  }

  void bind(Lease lent) {
    usedNanos = events.now();
    lease = lent;
    wake();
  }

  /** The lender has died. */
  void lostLender(Node lender) {
    if (lease != null && lease.lender == lender) {
      lease.holds = false;
      wake();
    }
  }

  void wake() {
    if (!woken) {
      woken = true;
      int now = turn;
      events.after(setting.wakeNanos, () -> run(now));
    }
  }

  private void run(int of) {
    if (of != turn || node.dead) {
      return;
    }
    turn++;
    woken = false;
    if (flights.size() < rules.depth || isDone(flights.peek())) {
      boolean moved = true;
      while (moved) {
        moved = step();
      }
    } else {
      askAgain = Claim.NEVER; // it has enough to do
    }
    sleep();
  }

  private void sleep() {
    long nanos;
    if (!flights.isEmpty()) {
      nanos = askAgain == Claim.NEVER ? rules.ownerIdleNanos : bounded(askAgain - events.now());
    } else if (askAgain != Claim.NEVER) {
      nanos = bounded(askAgain - events.now());
    } else if (!joined.isEmpty() || rests) {
      nanos = rules.ownerIdleNanos;
    } else {
      return; // until it is woken
    }
    int now = turn;
    events.after(nanos, () -> run(now));
  }

  private long bounded(long nanos) {
    return Math.max(rules.ownerPollNanos, Math.min(rules.ownerIdleNanos, nanos));
  }

  private boolean step() {
    boolean moved = land();
    askAgain = Claim.NEVER;
    if (isPresent()) {
      launches.follow(lease.launchNanos);
    }
    if (!isPresent()) {
      stepBack();
    } else if (flights.size() < rules.depth) {
      moved |= claimSomewhere();
    }
    joined.keySet().removeIf(job -> job.isEnded() && !hasAnyOf(job));
    if (!moved && flights.isEmpty()) {
      rests = rest();
    }
    return moved;
  }

  /** The device is absent: nobody is to count on it. */
  private void stepBack() {
    for (Map.Entry<BatchJob, Boolean> part : joined.entrySet()) {
      if (part.getValue() && !hasAnyOf(part.getKey())) {
        part.setValue(false);
        part.getKey().dealer.leave(part.getKey().worker(this));
      }
    }
  }

  private boolean hasAnyOf(BatchJob job) {
    for (Block block : flights) {
      if (block.job == job) {
        return true;
      }
    }
    return false;
  }

  private boolean claimSomewhere() {
    for (BatchJob job : node.jobsInOrder()) {
      int worker = job.worker(this);
      if (worker < 0) {
        continue;
      }
      if (!joined.getOrDefault(job, worker < job.starters)) {
        job.dealer.join(worker);
      }
      joined.put(job, true);
      Claim claim = new Claim();
      if (job.dealer.claim(worker, events.now(), claim)) {
        for (Block other : flights) {
          other.alone = false;
        }
        Block block = new Block(job, claim, lease, events.now(), flights.isEmpty());
        flights.add(block);
        launch(block);
        return true;
      }
      askAgain = Math.min(askAgain, claim.retryNanos());
    }
    return false;
  }

  private void launch(Block block) {
    Lease to = block.lease;
    long bytes = BLOCK_HEAD_BYTES + (long) setting.rowBytes * block.size();
    node.cluster.wires.send(
        node, to.lender, bytes, () -> to.lender.lending.run(to.lane, block, this));
  }

  /** A block has come back. */
  void answered(Block block) {
    block.answered = true;
    wake();
  }

  private boolean isDone(Block block) {
    if (block.answered) {
      return true;
    }
    boolean lost = !block.lease.holds || events.now() - block.claimedNanos > rules.patienceNanos;
    if (lost) {
      node.serving.lost(block.lease.lender);
      unbind(block.lease);
    }
    return lost;
  }

  private boolean land() {
    Block block = flights.peek();
    if (block == null || !isDone(block)) {
      return false;
    }
    if (block.answered) {
      usedNanos = events.now();
      if (block.left) {
        unbind(block.lease);
      }
    }
    flights.remove();
    BatchJob job = block.job;
    int worker = job.worker(this);
    if (job.isEnded()) {
      return true;
    }
    if (block.rows == 0) {
      job.dealer.handBack(worker, block.claim, events.now());
      job.rowsHandedBack();
      return true;
    }
    long from = block.claim.from();
    long until = block.claim.until();
    if (block.alone) {
      double copies = rules.nanosPerByte * setting.bytesPerRow() * block.rows;
      launches.learn(events.now() - block.claimedNanos - block.nanos - copies);
    }
    job.dealer.commit(
        worker, block.claim, from + block.rows, Math.max(1, block.nanos), events.now());
    job.publish(block.claim);
    job.task.charged += block.nanos;
    node.cluster.moved(block.claim.wonRows());
    if (block.rows < until - from) {
      job.rowsHandedBack();
    }
    job.wakeIfEmpty();
    return true;
  }

  private void unbind(Lease lost) {
    if (lease == lost) {
      lease = null;
    }
  }

  private boolean rest() {
    Lease held = lease;
    if (held == null) {
      return false;
    }
    boolean idle = events.now() - usedNanos > rules.idleNanos;
    idle |= events.now() - usedNanos > rules.idleQuietNanos && node.serving.needIsQuiet();
    if (!held.holds || idle) {
      if (held.holds) {
        node.cluster.wires.send(node, held.lender, 20, () -> held.lender.lending.end(held.lane));
      }
      unbind(held);
    }
    return !idle;
  }
}
