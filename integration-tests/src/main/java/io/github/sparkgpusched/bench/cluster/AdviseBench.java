package io.github.sparkgpusched.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.advise.Advise;
import io.github.sparkgpusched.bench.Bench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the advisor predicts, against what is measured. One application runs the queries of {@link
 * ClusterBench} without the plugin and writes an event log; another one runs them with it; they
 * take turns. Then the advisor reads the log. It predicts what the function of the log takes,
 * {@code call}, so that is measured; what a batch method saves besides is measured beside it.
 * Status 1 if the median error is more than 20%, or if something that it says profits did not.
 * Lines of cases that were run before stay in {@code advise.csv}, so that cases can be run one at a
 * time.
 *
 * <p>Usage: {@code AdviseBench OUT_DIRECTORY [PAIRS [CASE]]}.
 */
public final class AdviseBench {
  private static final int PAIRS = 3;
  private static final int WARM_SECONDS = 15;

  private record Shape(String name, int executors, int cores) {
    String titleOf(ClusterCase c) {
      return name + ": " + c.title();
    }
  }

  /** How a query is run. */
  private enum Way {
    PLAIN,
    BY_CALL,
    BY_BATCH_METHOD;

    boolean hasPlugin() {
      return this != PLAIN;
    }
  }

  private static final List<Shape> SHAPES =
      List.of(new Shape("1 executor of 2 cores", 1, 2), new Shape("2 executors of 1 core", 2, 1));

  private AdviseBench() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path out = Path.of(args[0]);
    int pairs = args.length > 1 ? Integer.parseInt(args[1]) : PAIRS;
    String part = args.length > 2 ? args[2] : "";
    // Lines of another day would be judged.
    if (SHAPES.stream().allMatch(shape -> cases(shape, part).isEmpty())) {
      System.err.println("no case's title contains '" + part + "'");
      System.exit(2);
    }
    AdviseTable table = AdviseTable.read(out.resolve("advise.csv"), System.err);
    try (LocalCluster cluster = new LocalCluster(out)) {
      for (Shape shape : SHAPES) {
        table.add(
            run(cluster, shape, pairs, part, out)); // what ends it early loses one shape alone
      }
    }
    table.print(System.out);
    System.out.println("logs: " + out.resolve("advise"));
    if (!table.holds()) {
      System.exit(1);
    }
  }

  private static List<ClusterCase> cases(Shape shape, String part) {
    return Arrays.stream(ClusterCase.values())
        .filter(c -> shape.titleOf(c).contains(part))
        .toList();
  }

  private static List<AdviseCase> run(
      LocalCluster cluster, Shape shape, int pairs, String part, Path out)
      throws IOException, InterruptedException {
    Path logs = out.toAbsolutePath().resolve("advise").resolve(shape.name().replace(' ', '-'));
    LocalCluster.empty(logs);
    Files.createDirectories(logs);
    Map<String, String> conf =
        Map.of(
            "spark.executor.cores",
            String.valueOf(shape.cores()),
            "spark.cores.max",
            String.valueOf(shape.executors() * shape.cores()));
    Map<String, String> plainConf = new HashMap<>(conf);
    plainConf.put("spark.plugins", "");
    plainConf.put("spark.eventLog.enabled", "true");
    plainConf.put("spark.eventLog.dir", logs.toUri().toString());
    Map<ClusterCase, Map<Way, double[]>> measured = new EnumMap<>(ClusterCase.class);
    List<ClusterCase> cases = cases(shape, part);
    if (cases.isEmpty()) {
      return List.of();
    }
    try (SubmittedApp plain = cluster.submit(shape.executors(), plainConf);
        SubmittedApp plugin = cluster.submit(shape.executors(), conf)) {
      // Calls of many classes from one place are slower: plain Spark is not to know two of each.
      plain.ask("forms", true);
      plain.ask("warm", WARM_SECONDS);
      plugin.ask("warm", WARM_SECONDS);
      for (ClusterCase c : cases) {
        measured.put(c, rounds(c, plain, plugin, pairs));
      }
    }
    JsonNode report = advise(logs);
    List<AdviseCase> lines = new ArrayList<>();
    for (ClusterCase c : cases) {
      lines.add(line(shape, c, measured.get(c), report));
    }
    return lines;
  }

  /** Seconds of each way; the first round warms up. */
  private static Map<Way, double[]> rounds(
      ClusterCase c, SubmittedApp plain, SubmittedApp plugin, int rounds) throws IOException {
    Map<Way, double[]> seconds = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      if (way != Way.BY_BATCH_METHOD || c.hasBatchMethod()) {
        seconds.put(way, new double[rounds]);
      }
    }
    List<Way> ways = new ArrayList<>(seconds.keySet());
    Set<String> answers = new TreeSet<>();
    for (int i = -1; i < rounds; i++) {
      Collections.rotate(ways, 1);
      for (Way way : ways) {
        SubmittedApp app = way.hasPlugin() ? plugin : plain;
        if (way.hasPlugin()) {
          app.ask("forms", way == Way.BY_CALL);
        }
        String label = i < 0 ? "" : c.name();
        ClusterTable.Run run = ClusterTable.Run.of(app.ask("labelled", c, way.hasPlugin(), label));
        answers.add(run.answer());
        if (i >= 0) {
          seconds.get(way)[i] = run.seconds();
        }
      }
    }
    if (answers.size() != 1) {
      throw new IllegalStateException(c + ": the ways differ: " + answers);
    }
    return seconds;
  }

  private static JsonNode advise(Path logs) throws IOException, InterruptedException {
    for (int i = 0; i < 600 && isOpen(logs); i++) {
      Thread.sleep(100); // the application ends
    }
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    String page = logs.resolveSibling(logs.getFileName() + ".html").toString();
    Advise.print(
        new PrintStream(json, true, StandardCharsets.UTF_8),
        "--json",
        "--html",
        page,
        logs.toString());
    return new ObjectMapper().readTree(json.toByteArray()).path("applications").path(0);
  }

  private static boolean isOpen(Path logs) throws IOException {
    try (Stream<Path> files = Files.walk(logs)) {
      return files.anyMatch(file -> file.toString().endsWith(".inprogress"));
    }
  }

  private static AdviseCase line(
      Shape shape, ClusterCase c, Map<Way, double[]> measured, JsonNode report) {
    List<JsonNode> saved = new ArrayList<>();
    List<String> verdicts = new ArrayList<>();
    for (JsonNode query : report.path("queries")) {
      if (query.path("description").asText().equals(c.name())) {
        saved.add(query.path("saved"));
        verdicts.add(query.path("verdict").asText());
      }
    }
    if (saved.isEmpty()) {
      throw new IllegalStateException("the advisor has not found " + c + " in the log");
    }
    double plain = Bench.median(measured.get(Way.PLAIN));
    // The boldest of its runs counts.
    String verdict =
        verdicts.stream().min(Comparator.comparing(AdviseBench::boldness)).orElseThrow();
    return new AdviseCase(
        shape.titleOf(c),
        plain,
        plain - of(saved, "mid"),
        plain - of(saved, "high"),
        plain - of(saved, "low"),
        Bench.median(measured.get(Way.BY_CALL)),
        measured.containsKey(Way.BY_BATCH_METHOD)
            ? Bench.median(measured.get(Way.BY_BATCH_METHOD))
            : Double.NaN,
        verdict);
  }

  private static int boldness(String verdict) {
    return List.of("PROFITS", "UNCERTAIN", "NO").indexOf(verdict);
  }

  private static double of(List<JsonNode> saved, String estimate) {
    return Bench.median(
        saved.stream().mapToDouble(range -> range.path(estimate).asDouble()).toArray());
  }
}
