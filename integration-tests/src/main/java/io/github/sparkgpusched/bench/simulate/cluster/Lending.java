package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an executor lends: its lanes ({@code Lender}). */
final class Lending {
  static final int NONE = -1;

  private final Node node;
  private final Map<Integer, GuestLane> lanes = new LinkedHashMap<>();
  private int last;
  private int atWork;

  /** True once it has the function. */
  private boolean knows;

  Lending(Node node) {
    this.node = node;
  }

  int idleCores() {
    int idle = node.idleCores() - (lanes.size() - atWork);
    return (int) Math.max(0, Math.min(idle, node.setting.mostLent() - lanes.size()));
  }

  int lend(Node borrower) {
    if (idleCores() < 1) {
      return NONE;
    }
    int number = ++last;
    lanes.put(number, new GuestLane(number, this, node, borrower));
    return number;
  }

  void run(int lane, Block block, Owner owner) {
    GuestLane to = lanes.get(lane);
    if (to == null) {
      answer(block, owner, 0, 0, true);
    } else {
      to.add(block, owner);
    }
  }

  void answer(Block block, Owner owner, int rows, long nanos, boolean left) {
    Wires wires = node.cluster.wires;
    if (wires.loses()) {
      return;
    }
    Node borrower = block.job.node;
    wires.send(
        node,
        borrower,
        13 + (long) node.setting.resultBytes * rows,
        () -> {
          block.rows = rows;
          block.nanos = nanos;
          block.left = left;
          owner.answered(block);
        });
  }

  /** The function, which the driver is asked for once. */
  void withFunction(Runnable then) {
    if (knows) {
      then.run();
    } else {
      node.cluster.driver.want(
          () -> {
            knows = true;
            then.run();
          });
    }
  }

  void working(int change) {
    atWork += change;
  }

  void end(int lane) {
    GuestLane to = lanes.get(lane);
    if (to != null) {
      to.end();
    }
  }

  void gone(Node borrower) {
    for (GuestLane lane : new ArrayList<>(lanes.values())) {
      if (lane.borrower == borrower) {
        lane.end();
      }
    }
  }

  void ended(int lane) {
    lanes.remove(lane);
    node.serving.coreIsFree();
  }

  /** Cores may be wanted here: guests look, after the rows at hand. */
  void look() {
    if (atWork > 0 && node.wantsCores()) {
      for (GuestLane lane : new ArrayList<>(lanes.values())) {
        lane.coreIsWanted();
      }
    }
  }
}
