package io.github.sparkgpusched.it.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How many rows an event log, which is not packed, says that were computed.
 *
 * @param ofDevices by the last reports of all executors
 * @param ofStages by the tasks of all stages that have ended
 * @param ofQueries by all queries that have ended
 */
public record LoggedLoad(long ofDevices, long ofStages, long ofQueries) {
  private static final String OURS = "io.github.sparkgpusched.ui.GpuSched";

  /** All agree. */
  public LoggedLoad(long rows) {
    this(rows, rows, rows);
  }

  /** Reads all logs below a folder as one. */
  public static LoggedLoad read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(f -> Files.isRegularFile(f) && !f.toString().endsWith(".crc")).toList();
    }
    Map<String, Long> devices = new HashMap<>();
    long stages = 0;
    long queries = 0;
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        if (!line.contains(OURS)) {
          continue;
        }
        JsonNode event = new ObjectMapper().readTree(line);
        switch (event.get("Event").asText().replace(OURS, "")) {
          case "DevicesEvent" ->
              devices.put(
                  event.at("/report/executorId").asText(), rows(event.at("/report/devices")));
          case "StageEvent" -> stages += event.at("/stage/rows").asLong();
          case "QueryEvent" -> queries += event.at("/query/rows").asLong();
          default -> {
            // events of devices, calls that stay row by row
          }
        }
      }
    }
    return new LoggedLoad(
        devices.values().stream().mapToLong(Long::longValue).sum(), stages, queries);
  }

  private static long rows(JsonNode devices) {
    long rows = 0;
    for (JsonNode each : devices) {
      rows += each.path("rows").asLong();
    }
    return rows;
  }
}
