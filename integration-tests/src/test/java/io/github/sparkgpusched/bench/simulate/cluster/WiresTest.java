package io.github.sparkgpusched.bench.simulate.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("simulate")
class WiresTest {
  private final Setting setting = new Setting();
  private final Events events = new Events();
  private final List<String> arrived = new ArrayList<>();

  private void send(Wires wires, Cluster cluster, int from, int to, long bytes) {
    wires.send(
        cluster.nodes.get(from),
        cluster.nodes.get(to),
        bytes,
        () -> arrived.add(to + " at " + Math.round((events.now() - 1) / 1e6)));
  }

  @Test
  void messagesShareTheWireOutAndTheWireIn() {
    setting.jitter = 0;
    setting.roundTripNanos = 2_000_000;
    Wires wires = new Wires(setting, events, new SplittableRandom(1));
    Cluster cluster = new Cluster(setting);
    send(wires, cluster, 0, 1, 125_000_000); // 100 ms
    send(wires, cluster, 0, 2, 125_000_000);
    send(wires, cluster, 3, 2, 0);
    send(wires, cluster, 4, 1, 125_000_000);
    while (events.step()) {
      // all of it
    }
    assertEquals(List.of("2 at 1", "1 at 101", "1 at 201", "2 at 201"), arrived);
  }
}
