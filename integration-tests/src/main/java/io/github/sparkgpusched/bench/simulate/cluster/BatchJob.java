package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * One batch of a task: dealt by the plugin's own dealer, to the workers in the order of {@code
 * JobWorkers}. Ends as {@code JobRun} has it end: when all rows are committed, and no helper is
 * inside.
 */
final class BatchJob {
  /** A job is worth one more core if it has so many blocks' time left for each. */
  private static final int WORTH_SHARING_BLOCKS = 2;

  /** The submitter looks whether there are rows, or whether its task was killed. */
  private static final long POLL_NANOS = 10_000_000;

  final TaskRun task;
  final Node node;
  final int rows;
  final Dealer dealer;
  final int starters;
  final List<Owner> owners;
  private final int[] workers;
  private final int firstHelper;
  private final BitSet helperSlots = new BitSet();
  private final BitSet published;
  private final HostThread submitter;
  private final Runnable over;
  private double nanosPerCost;
  private long refusedUntil = Claim.NEVER;
  private int inside;
  private boolean waits;
  private int waitTurn;
  private boolean ended;

  BatchJob(TaskRun task, int rows, Pace pace, Runnable over) {
    this.task = task;
    this.node = task.node;
    this.rows = rows;
    this.over = over;
    this.published = new BitSet(rows);
    this.nanosPerCost = pace.nanosPerCost();
    Setting setting = node.setting;
    Placed placed = Placed.place(node, nanosPerCost * rows);
    this.owners = placed.owners();
    this.starters = placed.parts() + 1;
    this.workers = new int[node.owners.size()];
    Arrays.fill(workers, -1);
    for (int i = 0; i < owners.size(); i++) {
      workers[owners.get(i).index] = i + 1;
    }
    this.firstHelper = owners.size() + 1;
    List<WorkerSpec> specs = new ArrayList<>();
    specs.add(WorkerSpec.host());
    for (Owner owner : owners) {
      specs.add(owner.spec().withMoreTransfer(setting.rules.nanosPerByte * setting.bytesPerRow()));
    }
    for (int i = 1; i < setting.cores; i++) {
      specs.add(WorkerSpec.host());
    }
    this.dealer =
        setting.strategy.deal(
            Deal.builder(rows, specs)
                .starters(starters)
                .costs(RangeCosts.UNIFORM)
                .costError(pace.error())
                .targetNanos(setting.targetNanos)
                .mayRunTwice(setting.mayRunTwice)
                .pace(pace)
                .build());
    this.submitter = new HostThread(this, 0, null);
  }

  void run() {
    node.jobs.add(this);
    for (Owner owner : owners) {
      if (owner.isPresent()) {
        owner.wake();
      }
    }
    node.wakeFor(this);
    submitter.work();
  }

  /** The worker index of a borrowed core; -1 if it does not take part. */
  int worker(Owner owner) {
    return workers[owner.index];
  }

  boolean isEnded() {
    return ended;
  }

  /** A helper's slot. */
  int enter() {
    int slot = helperSlots.nextClearBit(0);
    helperSlots.set(slot);
    inside++;
    return firstHelper + slot;
  }

  void leave(int slot) {
    helperSlots.clear(slot - firstHelper);
    inside--;
    wakeIfEmpty();
  }

  void learn(double estimate) {
    if (!(estimate < 2 * nanosPerCost && estimate * 2 > nanosPerCost)) {
      nanosPerCost = estimate;
    }
  }

  void refuseCores(long until) {
    refusedUntil = until;
  }

  /** Time left for each who is there, if that is worth another core; else 0. */
  double need() {
    if (ended || waits || (refusedUntil != Claim.NEVER && node.events.now() < refusedUntil)) {
      return 0;
    }
    double share = dealer.costLeft() * nanosPerCost / (1 + inside);
    return share > (double) WORTH_SHARING_BLOCKS * node.setting.targetNanos ? share : 0;
  }

  /** Rows were committed; each must be published once. */
  void publish(Claim claim) {
    for (int i = 0; i < claim.wonRanges(); i++) {
      int from = (int) claim.wonFrom(i);
      int until = (int) claim.wonUntil(i);
      int twice = published.nextSetBit(from);
      if (twice >= 0 && twice < until) {
        throw new IllegalStateException("row " + twice + " was published twice");
      }
      published.set(from, until);
    }
  }

  /** Somebody who published rows is out of the gate again. */
  void wakeIfEmpty() {
    if (waits && inside == 0) {
      wakeSubmitter();
    }
  }

  void rowsHandedBack() {
    if (waits) {
      wakeSubmitter();
    }
    node.wakeFor(this);
    owners.forEach(Owner::wake);
  }

  /** The task's thread has found no rows. */
  void submitterStops() {
    waits = true;
    if (endIfOver()) {
      return;
    }
    node.addBusy(-1);
    node.wakeForAny();
    look();
  }

  private void wakeSubmitter() {
    int turn = waitTurn;
    long late = owners.isEmpty() ? 0 : node.setting.wakeNanos; // else it looks without a pause
    node.events.after(late, () -> lookIf(turn));
  }

  private void lookIf(int turn) {
    if (waits && turn == waitTurn && !node.dead) {
      look();
    }
  }

  private void look() {
    if (!isOver() && !submitter.mayClaim()) {
      int turn = ++waitTurn;
      node.events.after(submitter.waitNanos(POLL_NANOS), () -> lookIf(turn));
      return;
    }
    node.addBusy(1);
    if (!endIfOver()) {
      waits = false;
      waitTurn++;
      submitter.work();
    }
  }

  private boolean isOver() {
    return inside == 0 && dealer.rowsCommitted() == rows;
  }

  private boolean endIfOver() {
    if (!isOver()) {
      return false;
    }
    ended = true;
    waitTurn++;
    node.jobs.remove(this);
    if (published.cardinality() != rows) {
      throw new IllegalStateException(
          published.cardinality() + " of " + rows + " rows were published");
    }
    over.run();
    return true;
  }
}
