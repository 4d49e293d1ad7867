package io.github.sparkgpusched.jobs;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * How many cities lie in a polygon of the country that GeoNames gives them.
 *
 * @param agree those that do
 * @param disagree those in a polygon of another country, or of none
 * @param nowhere those in no polygon
 */
record Agreement(long agree, long disagree, long nowhere) {
  /** Of a row of the answer: its {@link Verdict} as text. */
  static final Column VERDICT =
      expr(
          "case when country <=> found_country then 'AGREE'"
              + " when found_name is null then 'NOWHERE' else 'DISAGREE' end");

  /** What a city's answer is worth. */
  enum Verdict {
    AGREE,
    DISAGREE,
    NOWHERE
  }

  static Agreement of(Dataset<Row> answer) {
    Map<Verdict, Long> cities = new EnumMap<>(Verdict.class);
    for (Row row : answer.groupBy(VERDICT.as("verdict")).agg(count(lit(1))).collectAsList()) {
      cities.put(Verdict.valueOf(row.getString(0)), row.getLong(1));
    }
    return new Agreement(
        cities.getOrDefault(Verdict.AGREE, 0L),
        cities.getOrDefault(Verdict.DISAGREE, 0L),
        cities.getOrDefault(Verdict.NOWHERE, 0L));
  }

  long cities() {
    return agree + disagree + nowhere;
  }

  /** The share of cities that agree; 0 if there is none. */
  double share() {
    return cities() == 0 ? 0 : (double) agree / cities();
  }

  /**
   * @throws JobFailedException if the share is below {@code least}
   */
  void require(double least) {
    if (share() < least) {
      throw new JobFailedException(
          String.format(
              Locale.ROOT,
              "only %.2f%% of the cities are in a polygon of the country that GeoNames gives"
                  + " them, less than %.0f%%: the input is not what it should be, or"
                  + " point_in_ring is wrong (%s)",
              100 * share(),
              100 * least,
              this));
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "agreement with GeoNames: %.2f%% (%,d agree, %,d in another country's polygon, %,d in"
            + " none)",
        100 * share(),
        agree,
        disagree,
        nowhere);
  }
}
