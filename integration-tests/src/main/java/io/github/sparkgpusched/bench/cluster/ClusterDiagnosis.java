package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.bench.Said;
import io.github.sparkgpusched.bench.Said.Expected;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The part of the diagnoses' bench that needs executors: the queries of {@link ClusterBench}. */
public final class ClusterDiagnosis {
  private static final Map<String, String> UI =
      Map.of("spark.ui.enabled", "true", "spark.ui.port", "0");
  private static final Map<String, String> OFF = Map.of("spark.gpusched.remote", "off");
  private static final Map<String, String> TWO_CORES =
      Map.of("spark.executor.cores", "2", "spark.cores.max", "2");

  /** Some 5 s of a core. */
  private static final String ONE_PARTITION =
      "select sum(churn(id, 50000) & 1023) from range(0, 80000, 1, 1)";

  private final LocalCluster cluster;
  private final Said said;

  private ClusterDiagnosis(LocalCluster cluster, Said said) {
    this.cluster = cluster;
    this.said = said;
  }

  /**
   * Notes what is said of each case.
   *
   * @param out the benches' folder of results, in Maven's folder
   * @param part of the names of cases; others do not run
   */
  public static void run(Path out, String part, Said said)
      throws IOException, InterruptedException {
    Map<String, Case> cases = cases();
    cases.keySet().removeIf(name -> !name.contains(part));
    if (cases.isEmpty()) {
      return;
    }
    try (LocalCluster cluster = new LocalCluster(out)) {
      ClusterDiagnosis diagnosis = new ClusterDiagnosis(cluster, said);
      for (Map.Entry<String, Case> c : cases.entrySet()) {
        diagnosis.diagnose(c.getKey(), c.getValue());
      }
    }
  }

  private record Case(
      int executors, Map<String, String> conf, List<Object> question, Expected expected) {}

  private static Map<String, Case> cases() {
    Map<String, Case> cases = new LinkedHashMap<>();
    for (ClusterCase c : ClusterCase.values()) {
      List<Object> run = List.of("run", c, true);
      Expected expected = c == ClusterCase.CHEAP ? Expected.nothingBut("cheap") : Expected.NOTHING;
      cases.put("executors that share: " + c.title(), new Case(2, Map.of(), run, expected));
      cases.put("an executor of two cores: " + c.title(), new Case(1, TWO_CORES, run, expected));
      if (c.isSkewed()) {
        cases.put(
            "executors of a core that share nothing: " + c.title(),
            new Case(2, OFF, run, Expected.all("alone")));
      }
    }
    cases.put(
        "one partition for two executors",
        new Case(2, OFF, List.of("sql " + ONE_PARTITION), Expected.all("alone", "no task")));
    return cases;
  }

  private void diagnose(String name, Case c) throws IOException, InterruptedException {
    Map<String, String> conf = new HashMap<>(UI);
    conf.putAll(c.conf());
    try (SubmittedApp app = cluster.submit(c.executors(), conf)) {
      app.ask(c.question().toArray());
      app.ask(c.question().toArray());
      said.add(name, app.ask("ui")[0], c.expected());
    }
  }
}
