package io.github.sparkgpusched.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Makes the tables of {@code docs/monitoring.md}. With {@code -Dgpusched.docs.write=true} it writes
 * them, else it only tells whether they are stale.
 */
final class MonitoringDoc {
  private static final String WRITE = "gpusched.docs.write";
  static final String REWRITE =
      "./mvnw -pl spark-gpu-sched -am test -Dtest=MonitoringDocTest -D" + WRITE + "=true";

  private static final Path PAGE = Path.of("../docs/monitoring.md");

  private MonitoringDoc() {}

  /** True if the page has other tables than the measures make, and was not to be written. */
  static boolean isStale() throws IOException {
    String page = Files.readString(PAGE);
    String made = with(page, "device figures: made of DeviceMeasures", devices());
    made = with(made, "query figures: made of LoadColumn", queries());
    made = with(made, "UDF figures: made of UdfMeasures", udfs());
    if (made.equals(page)) {
      return false;
    }
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(PAGE, made);
      return false;
    }
    return true;
  }

  private static String with(String page, String marker, String table) {
    String begin = "<!-- " + marker + " -->\n";
    int from = page.indexOf(begin);
    int until = page.indexOf("<!-- end -->", from);
    if (from < 0 || until < 0) {
      throw new IllegalStateException(PAGE + " has no " + begin);
    }
    return page.substring(0, from + begin.length()) + "\n" + table + "\n" + page.substring(until);
  }

  private static String devices() {
    return "| Column | Unit | Null | Grows | What |\n|---|---|---|---|---|\n"
        + LoadColumn.OF_DEVICES.stream()
            .map(
                column ->
                    "| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                            column.name(),
                            column.unit() == null ? "text" : column.unit(),
                            column.nullable() ? "null" : "",
                            growsOnly(column.name()) ? "grows" : "",
                            column.description()))
            .collect(Collectors.joining());
  }

  private static String queries() {
    return "| Column | Unit | Null | What |\n|---|---|---|---|\n"
        + LoadColumn.OF_QUERIES.stream()
            .map(
                column ->
                    "| `%s` | %s | %s | %s |\n"
                        .formatted(
                            column.name(),
                            column.unit() != null
                                ? column.unit()
                                : column.type() == String.class ? "text" : "",
                            column.nullable() ? "null" : "",
                            column.description()))
            .collect(Collectors.joining());
  }

  private static boolean growsOnly(String name) {
    return DeviceMeasures.ALL.stream().anyMatch(m -> m.name().equals(name) && m.growsOnly());
  }

  private static String udfs() {
    return "| Name | Unit | What |\n|---|---|---|\n"
        + UdfMeasures.ALL.stream()
            .map(
                measure ->
                    "| `%s` | %s | %s%s |\n"
                        .formatted(
                            measure.name(),
                            measure.unit(),
                            measure.description(),
                            measure.nullable() ? "; from the first copy on" : ""))
            .collect(Collectors.joining());
  }
}
