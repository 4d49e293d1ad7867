package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * Functions of 50 ns to 50 µs a row, even and skewed, over narrow and wide rows, by {@code call}
 * and by batch method, where rows come from a range, a join, or Parquet. Of skewed rows one
 * partition has nearly all of the cost: the first of four, or of a join's two.
 */
final class CostCases {
  /** So long does one of the dependent multiplications of {@link RowCases.Steps} take, about. */
  private static final double NANOS_PER_STEP = 1.4;

  private static final int WIDE_COLUMNS = 12;

  /** {@code spark.sql.shuffle.partitions}, which must not be coalesced. */
  static final int JOIN_PARTITIONS = 2;

  private static final boolean[] EITHER = {false, true};

  /** A cost, and how many rows make a query of half a second or so. */
  enum Cost {
    NS_50("50 ns", 50, 10_000_000, 2_000_000),
    NS_200("200 ns", 200, 4_000_000, 2_000_000),
    US_1("1 us", 1000, 1_000_000, 800_000),
    US_5("5 us", 5000, 200_000, 200_000),
    US_50("50 us", 50_000, 20_000, 20_000);

    private final String title;
    private final int steps;
    private final long narrowRows;
    private final long wideRows;

    Cost(String title, int nanos, long narrowRows, long wideRows) {
      this.title = title;
      this.steps = (int) (nanos / NANOS_PER_STEP);
      this.narrowRows = narrowRows;
      this.wideRows = wideRows;
    }

    String title() {
      return title;
    }

    String table(boolean wide) {
      return "cost_" + name().toLowerCase(Locale.ROOT) + (wide ? "_wide" : "");
    }

    long rows(boolean wide) {
      return wide ? wideRows : narrowRows;
    }

    /** As expressions of the number of the row, {@code id}. */
    List<String> columns(boolean wide, String heavy) {
      List<String> columns = new ArrayList<>();
      columns.add("cast(" + steps + " + id % 2 as int) as even");
      columns.add("cast(if(%s, %d, 2) + id %% 2 as int) as skewed".formatted(heavy, steps));
      for (int i = 0; wide && i < WIDE_COLUMNS; i++) {
        columns.add("(id + " + i + ") / 7D as c" + i);
      }
      return columns;
    }
  }

  enum Source {
    RANGE,
    JOIN,
    PARQUET;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A case without its function's cost. */
  record Line(Source source, boolean skewed, boolean wide, boolean byBatchMethod) {
    String name(Cost cost) {
      return String.join(
          ", ",
          source.toString(),
          cost.title(),
          skewed ? "skewed" : "even",
          wide ? "wide" : "narrow",
          byBatchMethod ? "batch" : "call");
    }
  }

  /** {@link RowCases.Steps} with a batch method. */
  public static final class StepsByBatch implements UDF1<Integer, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Integer steps) {
      return RowCases.Steps.of(steps);
    }

    @Override
    public Optional<BatchMethod> batchMethod() {
      return Optional.of(StepsByBatch::batch);
    }

    private static void batch(Columns arguments, int from, int until, ResultColumn out) {
      var steps = arguments.ints(0);
      for (int row = from; row < until; row++) {
        out.setLong(row, RowCases.Steps.of(steps.get(row)));
      }
    }
  }

  private CostCases() {}

  static void register(SparkSession spark) {
    spark.udf().register("steps_batch", new StepsByBatch(), DataTypes.LongType);
  }

  /** The tables of {@link Source#PARQUET}. */
  static List<SparkBenchInputs.Table> tables() {
    List<SparkBenchInputs.Table> tables = new ArrayList<>();
    for (Cost cost : Cost.values()) {
      for (boolean wide : EITHER) {
        long rows = cost.rows(wide);
        tables.add(
            new SparkBenchInputs.Table(cost.table(wide), rows, cost.columns(wide, first(rows))));
      }
    }
    return tables;
  }

  /** The rows of the first of four partitions. */
  private static String first(long rows) {
    return "id < " + rows / 4;
  }

  /** Makes views of the other sources. */
  static void views(SparkSession spark, SparkBenchInputs.Size size) {
    for (Cost cost : Cost.values()) {
      for (boolean wide : EITHER) {
        long rows = size.of(cost.rows(wide));
        String[] columns = cost.columns(wide, first(rows)).toArray(String[]::new);
        spark
            .range(0, rows, 1, 4)
            .selectExpr(columns)
            .createOrReplaceTempView(cost.table(wide) + "_range");
        // Of a join's rows a call is not the only cost: a third of them is enough.
        long joined = Math.max(4, rows / 3);
        spark.range(0, joined, 1, 4).createOrReplaceTempView("cost_ids");
        // A join's rows lie in its partitions by hash, as HashPartitioning has it.
        String heavy = "id < %d and pmod(hash(id), %d) = 0".formatted(joined / 2, JOIN_PARTITIONS);
        String select = String.join(", ", cost.columns(wide, heavy)).replace("id", "a.id");
        spark
            .sql(
                "select /*+ merge(b) */ "
                    + select
                    + " from cost_ids a join cost_ids b on a.id = b.id")
            .createOrReplaceTempView(cost.table(wide) + "_join");
      }
    }
  }

  /** All but the costs. */
  static List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (Source source : Source.values()) {
      for (boolean wide : EITHER) {
        for (boolean byBatchMethod : EITHER) {
          for (boolean skewed : EITHER) {
            lines.add(new Line(source, skewed, wide, byBatchMethod));
          }
        }
      }
    }
    return lines;
  }

  /**
   * All cases.
   *
   * @param prefix of their names
   */
  static List<SparkBench.Case> all(String prefix) {
    List<SparkBench.Case> all = new ArrayList<>();
    for (Line line : lines()) {
      for (Cost cost : Cost.values()) {
        all.add(
            SparkBench.same(prefix + line.name(cost), query(line, cost), line.skewed() ? 1 : 0.97));
      }
    }
    return all;
  }

  private static String query(Line line, Cost cost) {
    StringJoiner sum = new StringJoiner(" + ");
    String column = line.skewed() ? "skewed" : "even";
    sum.add((line.byBatchMethod() ? "steps_batch" : "steps") + "(" + column + ")");
    for (int i = 0; line.wide() && i < WIDE_COLUMNS; i++) {
      sum.add("c" + i);
    }
    String from = line.source() == Source.PARQUET ? "" : "_" + line.source();
    return "select sum(" + sum + ") from " + cost.table(line.wide()) + from;
  }
}
