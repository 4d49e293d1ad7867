package io.github.sparkgpusched.advise.replay;

/** A task at work. */
final class Run {
  final ReplayTask task;
  final int stage;

  /** Whether other cores of its executor may take over rows. */
  final boolean shares;

  /** Whether its rows may travel. */
  final boolean travels;

  /** Part of it that is left, and how much of it is done in a second. */
  double left = 1;

  double speed;
  double since;

  /** Cores at work for it on the mean. */
  double cores = 1;

  Run(ReplayTask task, int stage, Sharing sharing) {
    this.task = task;
    this.stage = stage;
    double gain = task.functionSeconds() - task.rows() * Costs.COPY_NANOS / 1e9;
    this.shares =
        sharing != Sharing.NONE
            && task.rows() > 1
            && gain > Costs.LEAST_GAIN * task.functionSeconds()
            && task.functionSeconds() > Costs.LEARN_SECONDS;
    this.travels =
        sharing == Sharing.ACROSS
            && shares
            && task.rowNanos() >= Costs.TRAVEL_ROW_NANOS
            && task.rowNanos() <= Costs.MOST_TRAVEL_ROW_NANOS
            && batchSeconds() >= Costs.TRAVEL_BATCH_SECONDS;
  }

  /** What a batch of its rows takes a core. */
  double batchSeconds() {
    return Math.min(task.rows(), Costs.BATCH_ROWS) * task.rowNanos() / 1e9;
  }

  void advance(double now) {
    left = Math.max(0, left - speed * (now - since));
    since = now;
  }

  /** From now on, so many cores more than its own thread compute its rows. */
  void helpedBy(double helpers, double now) {
    advance(now);
    double alone = task.seconds();
    double most = Math.max(0, task.rows() - 1.0);
    double used = Math.min(helpers, most);
    double function =
        task.functionSeconds() / (1 + used)
            + task.rows() * Costs.COPY_NANOS / 1e9
            + Math.min(Costs.LEARN_SECONDS, task.functionSeconds());
    double shared = task.otherSeconds() + function;
    if (used > 0 && shared < alone) {
      speed = 1 / shared;
      cores = 1 + used * (task.functionSeconds() / (1 + used)) / shared;
    } else {
      speed = 1 / Math.max(1e-6, alone);
      cores = 1;
    }
  }

  double endsAt() {
    return since + left / speed;
  }
}
