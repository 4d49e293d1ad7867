package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.strategy.Pace;

/** A task on an executor: one batch of its partition after the other. */
final class TaskRun {
  final Partition partition;
  final Node node;
  final Pace pace = new Pace();
  final long startNanos;

  /** Time of all that has computed its rows, by which owners choose between tasks. */
  double charged;

  private final Runnable ended;
  private long done;
  private long target;

  /**
   * @param ended is told when all rows are done
   */
  TaskRun(Partition partition, Node node, Runnable ended) {
    this.partition = partition;
    this.node = node;
    this.ended = ended;
    this.target = node.setting.firstRows;
    this.startNanos = node.events.now();
  }

  void start() {
    node.tasks.add(this);
    node.taskStarted();
    next();
  }

  private void next() {
    if (node.dead) {
      return;
    }
    if (done == partition.rows()) {
      node.tasks.remove(this);
      node.taskEnded();
      ended.run();
      return;
    }
    int rows = (int) Math.min(target, partition.rows() - done);
    target = Math.min(mostRows(), 2 * target);
    node.events.after(
        Math.round(rows * node.setting.fillNanos),
        () -> {
          if (!node.dead) {
            new BatchJob(this, rows, pace, () -> batchDone(rows)).run();
          }
        });
  }

  /** As {@code LearnedChoice} has it. */
  private int mostRows() {
    int others = (int) node.owners.stream().filter(Owner::isPresent).count();
    Rules rules = node.setting.rules;
    return node.setting.batchRows * Math.min(rules.mostShares, 1 + others / rules.othersPerShare);
  }

  private void batchDone(int rows) {
    done += rows;
    next();
  }
}
