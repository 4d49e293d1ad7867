package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.bench.Said.Expected;
import io.github.sparkgpusched.bench.cluster.ClusterDiagnosis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * Whether the tab's diagnosis is right about the queries of the other benches, and about some that
 * are slow or fail for a reason that is known. Each runs in an application of its own, as a
 * diagnosis is of a whole application; the clock does not matter. Status 1 if one says what is not
 * so, or does not say what is.
 *
 * <p>Usage: {@code DiagnosisBench OUT_DIRECTORY [CASE]}; with a part of a case's name, only such
 * cases. The class path begins with the plugin's jar and the benches' classes.
 */
public final class DiagnosisBench {
  private static final String LOCAL = "local[2]";

  /** A diagnosis says nothing of less than a second of work. */
  private static final long SECONDS = 2;

  /**
   * Those whose functions take less than 300 ns a row in the mean: of skewed rows a quarter cost
   * what their name says. All others take 600 ns or more.
   */
  private static final Pattern CHEAP =
      Pattern.compile(
          "cheap|identity|against|long session|light|50 ns|200 ns|1 us, skewed"
              + "|rows: (?!skewed, Jaro)");

  /** Fails in the last row. */
  public static final class Fails implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long id) {
      if (id == 9999) {
        throw new IllegalArgumentException("a row that cannot be computed");
      }
      return id;
    }
  }

  private final Path out;
  private final String part;
  private final Said said = new Said();

  private DiagnosisBench(Path out, String part) {
    this.out = out;
    this.part = part;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path out = Path.of(args[0]);
    DiagnosisBench bench = new DiagnosisBench(out, args.length > 1 ? args[1] : "");
    bench.troubles();
    ClusterDiagnosis.run(out, bench.part, bench.said);
    bench.others();
    if (!bench.said.isRight(out.resolve("diagnosis.csv"))) {
      System.exit(1);
    }
  }

  private void others() throws IOException, InterruptedException {
    for (SparkBench.Group group : SparkBench.Group.values()) {
      // Where all is batched, nothing else is computed.
      for (SparkBench.Case c :
          group == SparkBench.Group.ALWAYS ? List.<SparkBench.Case>of() : group.cases(part)) {
        SparkSession spark = session(group, LOCAL);
        SparkBenchInputs.read(spark, out, SparkBenchInputs.Size.WHOLE);
        diagnose(
            c.name(),
            spark,
            c.plugin(),
            CHEAP.matcher(c.name()).find() ? Expected.nothingBut("cheap") : Expected.NOTHING);
      }
    }
  }

  private void troubles() throws IOException, InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    trouble(
        "more cores than processors",
        "local[" + 2 * processors + "]",
        "select sum(steps(int(5000 + id % 2))) from range(0, 400000, 1, 8)",
        "crowded");
    trouble(
        "a function in a lambda",
        LOCAL,
        "select sum(aggregate(transform(array(id, id + 1), i -> steps(int(500 + i % 2))), 0L, (a, b) ->"
            + " a + b)) from range(0, 1000000, 1, 4)",
        "row by row");
    trouble("a function that fails", LOCAL, "select sum(fails(id)) from range(10000)", "errors");
  }

  private void trouble(String name, String master, String query, String kind)
      throws IOException, InterruptedException {
    if (name.contains(part)) {
      SparkSession spark = session(SparkBench.Group.COSTS, master);
      spark.udf().register("fails", new Fails(), DataTypes.LongType);
      spark.sparkContext().setLogLevel("OFF"); // what fails on purpose is no news
      diagnose(name, spark, query, Expected.all(kind));
    }
  }

  private SparkSession session(SparkBench.Group group, String master) {
    return SparkBench.session(
        group,
        out,
        Map.of(
            "spark.master", master,
            "spark.ui.enabled", "true",
            "spark.ui.port", "0",
            "spark.ui.showConsoleProgress", "false"));
  }

  private void diagnose(String name, SparkSession spark, String query, Expected expected)
      throws IOException, InterruptedException {
    try (spark) {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      for (int i = 0; i < 2 || System.nanoTime() < until; i++) {
        try {
          spark.sql(query).collectAsList();
        } catch (Exception e) { // Spark is Scala, and declares none
          if (!(e instanceof SparkException) || !expected.must().contains("errors")) {
            throw e;
          }
        }
      }
      said.add(name, spark.sparkContext().uiWebUrl().get(), expected);
    }
  }
}
