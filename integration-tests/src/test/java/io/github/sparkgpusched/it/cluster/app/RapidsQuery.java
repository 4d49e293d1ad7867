package io.github.sparkgpusched.it.cluster.app;

import java.util.Map;
import java.util.stream.Collectors;

/** Queries whose plans beside the RAPIDS Accelerator are looked at, over {@link RapidsTables}. */
public enum RapidsQuery {
  SELECT("select a, multiply_add(a, b, c) from t"),
  NESTED("select multiply_add(multiply_add(a, b, c), b, c) from t"),
  FILTER("select a from t where multiply_add(a, b, c) > 1"),
  AGGREGATE("select k, sum(multiply_add(a, b, c)) from t group by k"),
  GROUP_KEY("select edits(s, u), count(*) from t group by edits(s, u)"),
  JOIN_KEY("select l.a from t l join t r on edits(l.s, l.u) = r.k"),
  WINDOW("select a, row_number() over (partition by k order by multiply_add(a, b, c), a) from t"),
  CASE("select case when k > 1 then multiply_add(a, b, c) else b end from t"),
  SORT_KEY("select a from t order by multiply_add(a, b, c), a"),
  SUBQUERY("select a from t where b > (select max(multiply_add(a, b, c)) from t)"),
  /** The same rows twice, which Spark shuffles once. */
  TWICE(
      "with s as (select k, sum(multiply_add(a, b, c)) m from t group by k)"
          + " select x.k, x.m, y.m from s x join s y on x.k = y.k"),
  /** A call without a CUDA function beside one that has one. */
  MIXED("select multiply_add(a, b, c), host_only(a) from t"),
  /** An author's own form for RAPIDS, of a UDF that is a GpuUdf as well. */
  AUTHORS("select columnar_inc(a) from t"),
  AUTHORS_BESIDE_OURS("select columnar_inc(a), multiply_add(a, b, c) from t"),

  OFF(SELECT, "spark.gpusched.rapids", "off"),
  DISABLED(SELECT, "spark.gpusched.enabled", "false"),
  AUTHORS_DISABLED(AUTHORS, "spark.gpusched.enabled", "false"),
  RAPIDS_DISABLED(SELECT, "spark.rapids.sql.enabled", "false"),
  ADAPTIVE(SELECT, "spark.sql.adaptive.enabled", "true"),

  JSON("select multiply_add(a, b, c) from json"),
  /** A source that RAPIDS leaves on the CPU; what is above it, it does not. */
  ROWS("select multiply_add(a, b, c) from rows"),

  NO_PROJECT(SELECT, "spark.rapids.sql.exec.ProjectExec", "false"),
  NO_PROJECT_NESTED(NESTED, "spark.rapids.sql.exec.ProjectExec", "false"),
  NO_PROJECT_FILTER(FILTER, "spark.rapids.sql.exec.ProjectExec", "false"),
  NO_PROJECT_CASE(CASE, "spark.rapids.sql.exec.ProjectExec", "false"),
  NO_PROJECT_MIXED(MIXED, "spark.rapids.sql.exec.ProjectExec", "false"),
  NO_PROJECT_ADAPTIVE(NO_PROJECT, "spark.sql.adaptive.enabled", "true"),
  NO_CALL(SELECT, "spark.rapids.sql.expression.ScalaUDF", "false"),
  /** RAPIDS has no timestamp_ntz. What a call may take, it has. */
  COLUMN_TYPE("select n, multiply_add(a, b, c) from times");

  private final String sql;

  /** Lines of a key and a value. */
  private final String settings;

  RapidsQuery(String sql) {
    this.sql = sql;
    settings = "";
  }

  RapidsQuery(RapidsQuery of, String key, String value) {
    sql = of.sql;
    settings = of.settings + key + "=" + value + "\n";
  }

  public String sql() {
    return sql;
  }

  /** What the session is to have set. */
  public Map<String, String> settings() {
    return settings
        .lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  /** True of those that need the table {@code t} and no settings. */
  boolean isPlain() {
    return compareTo(AUTHORS_BESIDE_OURS) <= 0;
  }
}
