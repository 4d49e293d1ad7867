package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.device.remote.Questions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** One stage on a cluster, in virtual time. Gives the same figures each time. */
final class Cluster {
  /** What a run that does not end is stopped at. */
  private static final long MOST_EVENTS = 2_000_000_000L;

  final Setting setting;
  final Events events = new Events();
  final Wires wires;
  final DriverDesk driver;
  final List<Node> nodes = new ArrayList<>();
  private final SplittableRandom random;
  private final Random noise;
  private long movedRows;
  private long takenCores;

  Cluster(Setting setting) {
    this.setting = setting;
    this.random = new SplittableRandom(setting.seed);
    this.noise = new Random(setting.seed);
    this.wires = new Wires(setting, events, random.split());
    this.driver = new DriverDesk(setting, events, wires);
    for (int i = 0; i < setting.executors; i++) {
      nodes.add(new Node(i, this));
    }
  }

  static Outcome run(Setting setting, List<Partition> partitions) {
    return new Cluster(setting).run(partitions);
  }

  private Outcome run(List<Partition> partitions) {
    for (Node node : nodes) {
      node.serving.begin(random.nextLong(Questions.REST_WAIT_NANOS));
    }
    List<Node> order = new ArrayList<>(nodes);
    Collections.shuffle(order, noise);
    Stage stage = new Stage(this, order, partitions);
    long begin = events.now();
    stage.start();
    for (Setting.Death death : setting.deaths) {
      events.after(death.nanos(), () -> die(nodes.get(death.executor()), stage));
    }
    for (long i = 0; !stage.isDone(); i++) {
      if (!events.step() || i > MOST_EVENTS) {
        throw new IllegalStateException("the stage does not end");
      }
    }
    double makespan = events.now() - begin;
    double rows = partitions.stream().mapToLong(Partition::rows).sum();
    return new Outcome(
        makespan,
        makespan / bound(setting, rows),
        movedRows,
        rows,
        driver.messages(),
        driver.peak(),
        driver.nanosPerQuestion(),
        wires.bytes,
        takenCores);
  }

  /** No schedule is shorter: all cores compute all the time; or the longest row; and a launch. */
  static double bound(Setting setting, double rows) {
    double all = rows * setting.rowNanos / ((double) setting.executors * setting.cores);
    return Math.max(all, setting.rowNanos) + setting.roundTripNanos;
  }

  private void die(Node node, Stage stage) {
    node.dead = true;
    driver.ended(node);
    stage.died(node);
    events.after(
        wires.wayNanos(),
        () -> {
          for (Node other : nodes) {
            other.owners.forEach(owner -> owner.lostLender(node));
            other.lending.gone(node);
          }
        });
  }

  Node node(String id) {
    return nodes.get(Integer.parseInt(id));
  }

  /** What some rows take. */
  long nanos(long rows) {
    double spread = setting.rowSpread / Math.sqrt((double) rows);
    return Math.round(rows * setting.rowNanos * Math.max(0.3, 1 + spread * noise.nextGaussian()));
  }

  void moved(long rows) {
    movedRows += rows;
  }

  void lent() {
    takenCores++;
  }
}
