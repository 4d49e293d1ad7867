package io.github.sparkgpusched.device.cuda;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * How long a device's stages waited for each edge, since it was first opened. The owner adds, any
 * thread reads.
 */
final class Stalls {
  /** Nanoseconds by edge. The map is constant; its values only grow. */
  private final Map<Edge, AtomicLong> nanos = new EnumMap<>(Edge.class);

  Stalls() {
    for (Edge edge : Edge.values()) {
      nanos.put(edge, new AtomicLong());
    }
  }

  void add(Edge edge, long stallNanos) {
    nanos.get(edge).addAndGet(stallNanos);
  }

  long nanos(Edge edge) {
    return nanos.get(edge).get();
  }

  /** In microseconds, by edge; only those that were waited for. */
  @Override
  public String toString() {
    return nanos.entrySet().stream()
        .filter(edge -> edge.getValue().get() > 0)
        .map(edge -> edge.getKey() + " " + edge.getValue().get() / 1000)
        .collect(Collectors.joining(", "));
  }
}
