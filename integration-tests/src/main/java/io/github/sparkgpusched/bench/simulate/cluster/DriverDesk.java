package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.device.remote.Matchmaker;
import io.github.sparkgpusched.device.remote.Peer;
import io.github.sparkgpusched.device.remote.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The driver: the plugin's own matchmaker, which answers one question after the other. */
final class DriverDesk {
  private final Setting setting;
  private final Events events;
  private final Wires wires;

  /** Without calls: the simulator counts the questions for them, and knows the answer. */
  private final Matchmaker matchmaker = new Matchmaker(null);

  private final Map<Long, Long> bySecond = new HashMap<>();
  private long free;
  private long messages;
  private long matched;
  private long realNanos;

  DriverDesk(Setting setting, Events events, Wires wires) {
    this.setting = setting;
    this.events = events;
    this.wires = wires;
  }

  /** A question of who has, or wants, cores. */
  void ask(Node node, Question question, Consumer<List<Peer>> answered) {
    receive(
        () -> {
          long start = System.nanoTime();
          Question.Peers peers = (Question.Peers) matchmaker.answer(question, events.now());
          realNanos += System.nanoTime() - start;
          matched++;
          return peers.peers();
        },
        peers -> {
          if (!node.dead) {
            answered.accept(peers);
          }
        });
  }

  /** The question for a function. */
  void want(Runnable answered) {
    receive(List::of, ignored -> answered.run());
  }

  private void receive(Supplier<List<Peer>> answer, Consumer<List<Peer>> answered) {
    events.after(
        wires.wayNanos(),
        () -> {
          messages++;
          bySecond.merge(TimeUnit.NANOSECONDS.toSeconds(events.now()), 1L, Long::sum);
          free = Math.max(free, events.now()) + setting.driverNanos;
          events.at(
              free,
              () -> {
                List<Peer> peers = answer.get();
                events.after(wires.wayNanos(), () -> answered.accept(peers));
              });
        });
  }

  void ended(Node node) {
    matchmaker.executorEnded(node.id());
  }

  long messages() {
    return messages;
  }

  /** Of the second in which most came. */
  long peak() {
    return bySecond.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** What the matchmaker really takes for a question, on this machine; 0 if there was none. */
  double nanosPerQuestion() {
    return matched == 0 ? 0 : (double) realNanos / matched;
  }
}
