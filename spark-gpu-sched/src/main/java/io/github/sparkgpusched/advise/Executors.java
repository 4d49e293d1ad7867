package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The executors that a log tells of. */
final class Executors {
  private final Map<String, ExecutorLife> byId = new LinkedHashMap<>();

  /** Those that have left, and those that nothing needs any more are dropped. */
  private final List<ExecutorLife> all = new ArrayList<>();

  /** Events of tasks may come after that of their executor's end. */
  private final Set<String> gone = new HashSet<>();

  private int seen;
  private int cores;
  private int mostCores;

  void added(JsonNode event) {
    ExecutorLife life =
        new ExecutorLife(
            Math.max(1, event.path("Executor Info").path("Total Cores").asInt(1)),
            event.path("Timestamp").asLong());
    add(event.path("Executor ID").asText(), life);
  }

  private void add(String id, ExecutorLife life) {
    if (byId.containsKey(id)) {
      return;
    }
    byId.put(id, life);
    all.add(life);
    seen++;
    cores += life.cores;
    mostCores = Math.max(mostCores, cores);
  }

  void removed(JsonNode event) {
    String id = event.path("Executor ID").asText();
    gone.add(id);
    ExecutorLife life = byId.remove(id);
    if (life != null) {
      life.removed = event.path("Timestamp").asLong();
      cores -= life.cores;
    }
  }

  /**
   * A task ran on an executor.
   *
   * @return false if the log has not told of it: it then counts as one with so many cores
   */
  boolean isKnown(String id, long launched, int coresOfUnknown) {
    if (byId.containsKey(id) || gone.contains(id)) {
      return true;
    }
    add(id, new ExecutorLife(coresOfUnknown, launched));
    return false;
  }

  List<ExecutorLife> all() {
    return all;
  }

  /** Nothing will be asked of what was before. */
  void forget(long before) {
    all.removeIf(life -> life.removed < before);
  }

  /** How many there were in all. */
  int seen() {
    return seen;
  }

  /** As many cores as there were at once. */
  int mostCores() {
    return mostCores;
  }
}
