package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which stages the jobs that run have. */
final class Jobs {
  private final Map<Integer, Set<Integer>> stages = new HashMap<>();

  void started(JsonNode event) {
    Set<Integer> ids = new HashSet<>();
    event.path("Stage IDs").forEach(id -> ids.add(id.asInt()));
    stages.put(event.path("Job ID").asInt(), ids);
  }

  /** The stages that only the job that ends had. */
  Set<Integer> ended(JsonNode event) {
    Set<Integer> ids = stages.remove(event.path("Job ID").asInt());
    if (ids == null) {
      return Set.of();
    }
    stages.values().forEach(ids::removeAll);
    return ids;
  }
}
