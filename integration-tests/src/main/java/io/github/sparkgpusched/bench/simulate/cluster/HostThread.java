package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.RunningPace;

/** A task's own thread, or a helper, at work on a job: as {@code Participant} is. */
final class HostThread {
  private static final int MIN_PIECES = 4;
  private static final int MAX_PIECE_ROWS = 256;

  private final BatchJob job;
  private final Node node;
  private final int slot;

  /** Null for the task's own thread. */
  private final Runnable gone;

  private final Claim claim = new Claim();
  private final RunningPace pace;
  private long askAgain = Claim.NEVER;

  /**
   * @param gone what a helper does when it has left; null for the task's own thread
   */
  HostThread(BatchJob job, int slot, Runnable gone) {
    this.job = job;
    this.node = job.node;
    this.slot = slot;
    this.gone = gone;
    this.pace = new RunningPace(job.task.pace.nanosPerCost());
  }

  void join() {
    if (slot >= job.starters) {
      job.dealer.join(slot);
    }
    work();
  }

  void work() {
    if (node.dead) {
      return;
    }
    if (!job.dealer.claim(slot, node.events.now(), claim)) {
      askAgain = claim.retryNanos();
      job.refuseCores(askAgain);
      stop(false);
      return;
    }
    long reached = reached();
    long nanos = node.cluster.nanos(reached - claim.from());
    node.events.after(nanos, () -> computed(reached, nanos));
  }

  /** Where a thread stops that hands back the rest of a block which takes far too long. */
  private long reached() {
    Setting setting = node.setting;
    long most = (claim.rows() + MIN_PIECES - 1) / MIN_PIECES;
    long fit =
        Math.max(1, Math.min(MAX_PIECE_ROWS, (long) (setting.targetNanos / setting.rowNanos)));
    long piece = Math.min(fit, most);
    long pieces =
        (long)
            Math.ceil(
                setting.rules.handBackBlocks * setting.targetNanos / (piece * setting.rowNanos));
    return Math.min(claim.until(), claim.from() + pieces * piece);
  }

  private void computed(long reached, long nanos) {
    if (node.dead) {
      return;
    }
    pace.learn((double) (reached - claim.from()), nanos);
    job.learn(pace.nanosPerCost());
    job.task.charged += nanos;
    long until = claim.until();
    job.dealer.commit(slot, claim, reached, nanos, node.events.now());
    job.publish(claim);
    if (reached < until) {
      job.rowsHandedBack();
    }
    if (gone != null && node.tryYield()) {
      stop(true);
      return;
    }
    node.wakeFor(job);
    work();
  }

  private void stop(boolean yielded) {
    if (gone == null) {
      job.submitterStops();
      return;
    }
    job.dealer.leave(slot);
    if (!yielded) {
      node.addBusy(-1);
    }
    job.leave(slot);
    node.wakeForAny();
    gone.run();
  }

  boolean mayClaim() {
    return askAgain == Claim.NEVER ? job.dealer.rowsLeft() > 0 : node.events.now() >= askAgain;
  }

  long waitNanos(long most) {
    long nanos = askAgain == Claim.NEVER ? most : askAgain - node.events.now();
    return Math.max(1, Math.min(most, nanos));
  }
}
