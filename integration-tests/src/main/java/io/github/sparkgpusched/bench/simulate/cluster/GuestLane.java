package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.ArrayDeque;
import java.util.Deque;

/** A core that is lent, and the blocks that are to be computed on it ({@code Lane}). */
final class GuestLane {
  private record Waiting(Block block, Owner owner) {}

  final Node borrower;
  private final int number;
  private final Lending lending;
  private final Node node;
  private final Events events;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Null while none is computed. */
  private Waiting current;

  /** When its rows began; 0 while the function is on its way. */
  private long begin;

  private long length;
  private boolean wanted;
  private boolean ended;
  private boolean finished;
  private int turn;

  GuestLane(int number, Lending lending, Node node, Node borrower) {
    this.number = number;
    this.lending = lending;
    this.node = node;
    this.events = node.events;
    this.borrower = borrower;
    awaitBlock();
  }

  private void awaitBlock() {
    int of = ++turn;
    events.after(node.setting.rules.laneQuietNanos, () -> quiet(of));
  }

  private void quiet(int of) {
    if (of == turn && current == null) {
      end();
    }
  }

  void add(Block block, Owner owner) {
    if (ended || waiting.size() >= node.setting.rules.laneWaiting) {
      lending.answer(block, owner, 0, 0, true);
      return;
    }
    waiting.add(new Waiting(block, owner));
    if (current == null && waiting.size() == 1) {
      events.after(node.setting.wakeNanos, this::next);
    }
  }

  /** The core is not lent any more. */
  void end() {
    ended = true;
    if (current == null) {
      finish();
    } else {
      stopAfterPiece();
    }
  }

  /** A guest leaves as soon as the rows at hand are done. */
  void coreIsWanted() {
    if (current != null) {
      wanted = true;
      stopAfterPiece();
    }
  }

  private void next() {
    if (node.dead || finished || current != null) {
      return;
    }
    if (ended) {
      finish();
      return;
    }
    Waiting next = waiting.poll();
    if (next == null) {
      awaitBlock();
      return;
    }
    if (!node.tryTake()) {
      ended = true;
      lending.answer(next.block(), next.owner(), 0, 0, true);
      finish();
      return;
    }
    current = next;
    turn++;
    wanted = false;
    begin = 0;
    lending.working(1);
    lending.withFunction(this::compute);
  }

  private void compute() {
    if (node.dead) {
      return;
    }
    begin = events.now();
    int rows = current.block().size();
    length = node.cluster.nanos(rows);
    int of = ++turn;
    events.after(length, () -> computed(of, rows, length));
    if (ended || wanted || node.wantsCores()) {
      stopAfterPiece();
    }
  }

  private void stopAfterPiece() {
    if (begin == 0) {
      return; // it looks again when the rows begin
    }
    int rows = current.block().size();
    double rowNanos = (double) length / rows;
    long piece = Math.max(1, Math.min(256, (long) (node.setting.targetNanos / rowNanos)));
    long pieces = (long) Math.floor((events.now() - begin) / (piece * rowNanos)) + 1;
    int reached = (int) Math.min(rows, pieces * piece);
    if (reached < rows) {
      long nanos = Math.round(reached * rowNanos);
      int of = ++turn;
      events.at(begin + nanos, () -> computed(of, reached, nanos));
      begin = 0; // once
    }
  }

  private void computed(int of, int rows, long nanos) {
    if (of != turn || node.dead) {
      return;
    }
    Waiting done = current;
    boolean leaves = rows < done.block().size();
    ended |= leaves;
    lending.working(-1);
    node.addBusy(-1);
    current = null;
    lending.answer(done.block(), done.owner(), rows, nanos, leaves);
    node.wakeForAny();
    next();
  }

  private void finish() {
    if (finished) {
      return;
    }
    finished = true;
    for (Waiting next : waiting) {
      lending.answer(next.block(), next.owner(), 0, 0, true);
    }
    waiting.clear();
    lending.ended(number);
  }
}
