package io.github.sparkgpusched.advise.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Runs a period of an application anew: stages become ready one after the other as they did, their
 * tasks go in their order to the executor with most free cores, and cores share rows or do not. The
 * same input gives the same output. Not thread-safe; for one run.
 */
public final class Replay {
  private static final double EPSILON = 1e-9;

  private enum Kind {
    JOINS,
    LEAVES,
    READY,
    ENDS,
    LOOK
  }

  private record Event(double time, long number, Kind kind, int index, int version) {}

  private final Sharing sharing;
  private final List<Node> nodes = new ArrayList<>();
  private final List<ReplayStage> stages;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.time() != b.time()
                  ? Double.compare(a.time(), b.time())
                  : Long.compare(a.number(), b.number()));
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private final int[] started;
  private final int[] left;

  /** Stages that each one waits for. */
  private final int[] awaited;

  private final List<List<Integer>> followers = new ArrayList<>();
  private final double[] starts;
  private final double[] ends;
  private int stagesLeft;
  private final BusyCurve busy = new BusyCurve();
  private double now;
  private long numbers;
  private boolean lookIsDue;
  private double busyCores;

  private Replay(List<ReplayExecutor> executors, List<ReplayStage> stages, Sharing sharing) {
    this.sharing = sharing;
    this.stages = stages;
    this.started = new int[stages.size()];
    this.left = new int[stages.size()];
    this.awaited = new int[stages.size()];
    this.starts = new double[stages.size()];
    this.ends = new double[stages.size()];
    this.stagesLeft = stages.size();
    executors.forEach(executor -> nodes.add(new Node(executor)));
  }

  /**
   * Runs stages on executors.
   *
   * @throws IllegalArgumentException if there is no executor with a core
   */
  public static Replayed run(
      List<ReplayExecutor> executors, List<ReplayStage> stages, Sharing sharing) {
    if (executors.stream().noneMatch(executor -> executor.cores() > 0)) {
      throw new IllegalArgumentException("there is no executor with a core");
    }
    return new Replay(executors, stages, sharing).run();
  }

  private Replayed run() {
    for (int i = 0; i < nodes.size(); i++) {
      ReplayExecutor executor = nodes.get(i).executor;
      at(Math.max(0, executor.from()), Kind.JOINS, i, 0);
      if (executor.until() < Double.MAX_VALUE) {
        at(Math.max(0, executor.until()), Kind.LEAVES, i, 0);
      }
    }
    for (int i = 0; i < stages.size(); i++) {
      followers.add(new ArrayList<>());
    }
    for (int i = 0; i < stages.size(); i++) {
      left[i] = stages.get(i).tasks().size();
      awaited[i] = stages.get(i).after().size();
      for (int before : stages.get(i).after()) {
        followers.get(before).add(i);
      }
      if (awaited[i] == 0) {
        at(Math.max(0, stages.get(i).gapSeconds()), Kind.READY, i, 0);
      }
    }
    double last = 0;
    while (stagesLeft > 0) {
      Event event = events.poll();
      if (event == null) {
        reopen();
        continue;
      }
      now = event.time();
      handle(event);
      last = now;
    }
    busy.set(last, 0);
    return new Replayed(
        Arrays.stream(ends).max().orElse(0),
        Arrays.stream(starts).boxed().toList(),
        Arrays.stream(ends).boxed().toList(),
        busy);
  }

  /** All executors have left before the tasks were done, as it went slower than in the log. */
  private void reopen() {
    if (nodes.stream().allMatch(node -> node.open)) {
      throw new IllegalStateException(
          stagesLeft + " stages do not end: a task's time is no number, or there is no core");
    }
    for (int i = 0; i < nodes.size(); i++) {
      at(now, Kind.JOINS, i, 0);
    }
  }

  private void at(double time, Kind kind, int index, int version) {
    events.add(new Event(time, numbers++, kind, index, version));
  }

  private void handle(Event event) {
    switch (event.kind()) {
      case JOINS -> {
        Node node = nodes.get(event.index());
        node.open = true;
        changed(event.index());
        fill();
      }
      case LEAVES -> {
        nodes.get(event.index()).open = false;
        changed(event.index());
      }
      case READY -> {
        starts[event.index()] = now;
        if (left[event.index()] == 0) {
          end(event.index());
        } else {
          waiting.add(event.index());
          fill();
        }
      }
      case ENDS -> {
        Node node = nodes.get(event.index());
        if (event.version() == node.version) {
          reap(node, event.index());
        }
      }
      case LOOK -> {
        lookIsDue = false;
        share();
      }
    }
  }

  private void reap(Node node, int index) {
    double before = node.busy();
    for (Iterator<Run> all = node.runs.iterator(); all.hasNext(); ) {
      Run run = all.next();
      run.advance(now);
      if (run.left * run.task.seconds() <= EPSILON || run.endsAt() <= now + EPSILON) {
        all.remove();
        if (--left[run.stage] == 0) {
          end(run.stage);
        }
      }
    }
    busyCores -= before - node.busy();
    changed(index);
    fill();
  }

  private void end(int stage) {
    ends[stage] = now;
    stagesLeft--;
    for (int next : followers.get(stage)) {
      if (--awaited[next] == 0) {
        at(now + Math.max(0, stages.get(next).gapSeconds()), Kind.READY, next, 0);
      }
    }
  }

  /** Gives waiting tasks to free cores. */
  private void fill() {
    while (!waiting.isEmpty()) {
      int best = -1;
      for (int i = 0; i < nodes.size(); i++) {
        if (nodes.get(i).free() > (best < 0 ? 0 : nodes.get(best).free())) {
          best = i;
        }
      }
      if (best < 0) {
        return;
      }
      int stage = waiting.peek();
      ReplayTask task = stages.get(stage).tasks().get(started[stage]++);
      if (started[stage] == stages.get(stage).tasks().size()) {
        waiting.poll();
      }
      double before = nodes.get(best).busy();
      nodes.get(best).add(new Run(task, stage, sharing), now);
      busyCores += nodes.get(best).busy() - before;
      changed(best);
    }
  }

  private void changed(int index) {
    Node node = nodes.get(index);
    double before = node.busy();
    node.changed(now);
    busyCores += node.busy() - before;
    busy.set(now, busyCores);
    double end = node.nextEnd();
    if (end < Double.POSITIVE_INFINITY) {
      at(Math.max(now, end), Kind.ENDS, index, node.version);
    }
    if (sharing == Sharing.ACROSS) {
      lookSoon();
    }
  }

  private void lookSoon() {
    if (!lookIsDue) {
      lookIsDue = true;
      at(now + Costs.LOOK_SECONDS, Kind.LOOK, 0, 0);
    }
  }

  /** Divides the cores that are lent among those who want some, and looks again if more will. */
  private void share() {
    double wanted = 0;
    double offered = 0;
    boolean later = false;
    for (Node node : nodes) {
      wanted += node.wants(now);
      later |= !Double.isNaN(node.wantsSince);
    }
    if (!later) {
      return;
    }
    boolean soon = false;
    for (Node node : nodes) {
      offered += node.lends(now);
      soon |= !Double.isNaN(node.idleSince) && node.lends(now) == 0;
      soon |= !Double.isNaN(node.wantsSince) && node.wants(now) == 0;
    }
    double part = wanted == 0 ? 0 : Math.min(1, offered / wanted);
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      double borrowed = part * node.wants(now);
      if (Math.abs(borrowed - node.borrowed) > 0.01) {
        node.borrowed = borrowed;
        changedBySharing(i);
      }
    }
    if (soon) {
      lookSoon();
    }
  }

  private void changedBySharing(int index) {
    boolean due = lookIsDue;
    lookIsDue = true; // this is no reason to look again
    changed(index);
    lookIsDue = due;
  }
}
