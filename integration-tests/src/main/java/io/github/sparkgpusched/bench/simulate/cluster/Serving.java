package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.device.remote.Need;
import io.github.sparkgpusched.device.remote.Peer;
import io.github.sparkgpusched.device.remote.Question;
import io.github.sparkgpusched.device.remote.Questions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The one thread of an executor that asks the driver and takes cores, by the plugin's own rules
 * ({@code RemoteExecutors}, {@code Borrower}).
 */
final class Serving {
  private final Node node;
  private final Events events;
  private final Rules rules;
  private final Need need = new Need();
  private final Questions questions;
  private final List<Peer> offers = new ArrayList<>();
  private final Map<Node, Long> shunned = new HashMap<>();
  private long idleSince;
  private boolean permit;
  private boolean parked;
  private int turn;

  Serving(Node node) {
    this.node = node;
    this.events = node.events;
    this.rules = node.setting.rules;
    this.questions = new Questions(events.now());
  }

  /** The executor is there. */
  void begin(long afterNanos) {
    if (node.setting.borrowed > 0) {
      idleSince = events.now();
      parked = true;
      int of = turn;
      events.after(afterNanos, () -> run(of));
    }
  }

  void needCores() {
    if (need.isNew(events.now())) {
      wake();
    }
  }

  /** True if no job has wanted cores of others for a while. */
  boolean needIsQuiet() {
    return !need.lasts(events.now());
  }

  void taskStarted() {
    if (node.lending.idleCores() == 0) {
      idleSince = 0;
    }
  }

  /** There is no task any more. */
  void tasksEnded() {
    need.end();
  }

  void coreIsFree() {
    if (node.lending.idleCores() > 0) {
      idleSince = events.now();
      wake();
    }
  }

  void lost(Node lender) {
    shunned.put(lender, events.now() + rules.shunNanos);
  }

  private void wake() {
    permit = true;
    if (parked) {
      int of = turn;
      events.after(node.setting.wakeNanos, () -> run(of));
    }
  }

  private void run(int of) {
    if (of != turn || node.dead) {
      return;
    }
    turn++;
    parked = false;
    permit = false;
    long now = events.now();
    if (node.jobs.stream().anyMatch(job -> !job.owners.isEmpty())) {
      needCores();
    }
    if (need.isSettled(now)) {
      List<Peer> all = List.copyOf(offers);
      offers.clear();
      takeAll(all, 0, () -> ask(now));
    } else {
      ask(now);
    }
  }

  private void ask(long now) {
    int idle = node.lending.idleCores();
    switch (questions.next(now, need, free(), idleSince, idle)) {
      case SEEK ->
          node.cluster.driver.ask(
              node, new Question.Seek(self(free())), peers -> takeAll(peers, 0, () -> park(now)));
      case OFFER ->
          node.cluster.driver.ask(
              node, new Question.Offer(self(idle)), peers -> offer(peers, idle, now));
      case NONE -> park(now);
    }
  }

  private void offer(List<Peer> peers, int idle, long now) {
    for (Peer peer : peers) {
      Node to = node.cluster.node(peer.executorId());
      node.cluster.wires.send(node, to, 60, () -> to.serving.offered(self(idle)));
    }
    if (!peers.isEmpty()) {
      questions.told(now);
    }
    park(now);
  }

  private void offered(Peer lender) {
    if (offers.size() < node.setting.borrowed) {
      offers.add(lender);
    }
    wake();
  }

  private void park(long now) {
    if (node.dead) {
      return;
    }
    long wait = questions.waitNanos(now, need, node.lending.idleCores());
    parked = true;
    int of = turn;
    events.after(permit ? 0 : wait, () -> run(of));
  }

  private Peer self(int cores) {
    return new Peer(node.id(), "host", 1, cores);
  }

  private int free() {
    int free = 0;
    for (Owner owner : node.owners) {
      free += owner.isFree() ? 1 : 0;
    }
    return free;
  }

  private void takeAll(List<Peer> peers, int index, Runnable then) {
    if (index == peers.size()) {
      then.run();
      return;
    }
    Peer peer = peers.get(index);
    Node lender = node.cluster.node(peer.executorId());
    Runnable next = () -> takeAll(peers, index + 1, then);
    if (shunned.getOrDefault(lender, Long.MIN_VALUE) > events.now()) {
      next.run();
    } else {
      take(lender, peer.cores(), 0, next);
    }
  }

  private long launchNanos(long questionNanos) {
    return Math.round(rules.launchOverQuestion * questionNanos);
  }

  /** One core after the other, each a round trip. */
  private void take(Node lender, int left, int from, Runnable then) {
    int device = from;
    while (device < node.owners.size() && !node.owners.get(device).isFree()) {
      device++;
    }
    if (left == 0 || device == node.owners.size()) {
      then.run();
      return;
    }
    int found = device;
    long asked = events.now();
    Wires wires = node.cluster.wires;
    if (lender.dead) {
      events.after(2 * wires.wayNanos(), then); // it cannot be reached
      return;
    }
    if (wires.loses()) {
      events.after(rules.takeNanos, then);
      return;
    }
    wires.send(
        node,
        lender,
        20,
        () -> {
          int lane = lender.lending.lend(node);
          lender.serving.questions.asked(lane != Lending.NONE);
          wires.send(
              lender,
              node,
              20,
              () -> {
                if (lane == Lending.NONE) {
                  questions.refused(events.now());
                  then.run();
                } else {
                  node.cluster.lent();
                  node.owners
                      .get(found)
                      .bind(new Lease(lender, lane, launchNanos(events.now() - asked)));
                  take(lender, left - 1, found + 1, then);
                }
              });
        });
  }
}
