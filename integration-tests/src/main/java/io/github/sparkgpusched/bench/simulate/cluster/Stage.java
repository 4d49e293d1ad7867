package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Spark: gives partitions to free cores, and runs some a second time if it is to speculate. */
final class Stage {
  private static final double SPECULATION_QUANTILE = 0.75;
  private static final double SPECULATION_TIMES = 1.5;
  private static final long SPECULATION_NANOS = 100_000_000;

  private final Cluster cluster;
  private final Setting setting;
  private final List<Node> order;
  private final List<Partition> partitions;
  private final Deque<Partition> waiting = new ArrayDeque<>();
  private final Map<Node, Integer> used = new HashMap<>();
  private final boolean[] done;

  /** How often a partition has begun. */
  private final int[] runs;

  private final List<Long> times = new ArrayList<>();
  private final Map<Partition, TaskRun> running = new HashMap<>();
  private int left;

  Stage(Cluster cluster, List<Node> order, List<Partition> partitions) {
    this.cluster = cluster;
    this.setting = cluster.setting;
    this.order = order;
    this.partitions = new ArrayList<>(partitions);
    this.done = new boolean[partitions.size()];
    this.runs = new int[partitions.size()];
    this.left = partitions.size();
  }

  boolean isDone() {
    return left == 0;
  }

  void start() {
    occupy();
    if (setting.placing == Setting.Placing.BY_LOAD) {
      partitions.sort(Comparator.comparingLong(Partition::rows).reversed());
      placeByLoad();
    } else {
      waiting.addAll(partitions);
      fill();
    }
    if (setting.speculates) {
      cluster.events.after(SPECULATION_NANOS, this::speculate);
    }
  }

  /** Other work than this stage's, on some cores of some executors. */
  private void occupy() {
    int busy = (int) Math.round(setting.busyExecutors * order.size());
    for (Node node : order.subList(0, busy)) {
      long rows = Math.max(1, Math.round(setting.busyNanos / setting.rowNanos));
      for (int i = 0; i < setting.busyCores; i++) {
        used.merge(node, 1, Integer::sum);
        new TaskRun(new Partition(-1, rows, false), node, () -> freed(node)).start();
      }
    }
    Collections.shuffle(order, new Random(setting.seed + 1));
  }

  /** An executor after the other gets a partition, as long as they have cores. */
  private void fill() {
    boolean any = true;
    while (any && !waiting.isEmpty()) {
      any = false;
      for (Node node : order) {
        if (!waiting.isEmpty() && isFree(node)) {
          run(waiting.poll(), node);
          any = true;
        }
      }
    }
  }

  /** The largest first, to who has least to do. */
  private void placeByLoad() {
    Map<Node, Double> load = new HashMap<>();
    for (Node node : order) {
      load.put(node, used.getOrDefault(node, 0) * setting.busyNanos / setting.rowNanos);
    }
    for (Partition partition : partitions) {
      Node best = null;
      for (Node node : order) {
        if (isFree(node) && (best == null || load.get(node) < load.get(best))) {
          best = node;
        }
      }
      if (best == null) {
        waiting.add(partition);
      } else {
        load.merge(best, (double) partition.rows(), Double::sum);
        run(partition, best);
      }
    }
  }

  private boolean isFree(Node node) {
    return !node.dead && used.getOrDefault(node, 0) < setting.cores;
  }

  private void run(Partition partition, Node node) {
    used.merge(node, 1, Integer::sum);
    runs[partition.index()]++;
    cluster.events.after(
        setting.taskNanos,
        () -> {
          if (node.dead) {
            again(partition);
            return;
          }
          TaskRun[] task = new TaskRun[1];
          task[0] = new TaskRun(partition, node, () -> ended(task[0]));
          running.putIfAbsent(partition, task[0]);
          task[0].start();
        });
  }

  private void again(Partition partition) {
    runs[partition.index()]--;
    if (!done[partition.index()]) {
      waiting.addFirst(partition);
      fill();
    }
  }

  private void ended(TaskRun task) {
    Partition partition = task.partition;
    if (!done[partition.index()]) {
      done[partition.index()] = true;
      left--;
      times.add(cluster.events.now() - task.startNanos);
      running.remove(partition);
    }
    freed(task.node);
  }

  private void freed(Node node) {
    used.merge(node, -1, Integer::sum);
    fill();
  }

  /** What ran there runs elsewhere, from its beginning. */
  void died(Node node) {
    for (TaskRun task : node.tasks) {
      if (task.partition.index() >= 0) {
        running.remove(task.partition);
        again(task.partition);
      }
    }
  }

  private void speculate() {
    if (times.size() >= SPECULATION_QUANTILE * done.length) {
      long[] sorted = times.stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(sorted);
      double late =
          Math.max((double) SPECULATION_NANOS, SPECULATION_TIMES * sorted[sorted.length / 2]);
      for (TaskRun task : List.copyOf(running.values())) {
        boolean slow = cluster.events.now() - task.startNanos > late;
        if (slow && runs[task.partition.index()] == 1) {
          copy(task);
        }
      }
    }
    if (left > 0) {
      cluster.events.after(SPECULATION_NANOS, this::speculate);
    }
  }

  private void copy(TaskRun task) {
    for (Node node : order) {
      if (node != task.node && isFree(node)) {
        run(task.partition, node);
        return;
      }
    }
  }
}
