package io.github.sparkgpusched.jobs;

import static org.apache.spark.sql.functions.col;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Which country is each of the world's cities in? */
public final class MainJob implements Job {
  static final Flag CITIES = new Flag("--cities", "PATH", "Parquet of cities", null);
  static final Flag RINGS = new Flag("--rings", "PATH", "Parquet of country polygons", null);

  private static final Flag SAMPLE = new Flag("--sample", "N", "takes one of so many cities", "1");

  /** Below this share something is wrong: the two sources are known to agree on 97.71%. */
  static final double LEAST_AGREEMENT = 0.97;

  /** Of so many cities one is in the sample for the warm-up. */
  private static final int WARM_UP = 20;

  public static void main(String[] arguments) throws Exception {
    JobRunner.main(new MainJob(), arguments);
  }

  @Override
  public String name() {
    return "MainJob";
  }

  @Override
  public String about() {
    return "which country is each of the world's cities in?";
  }

  @Override
  public List<Flag> flags() {
    return List.of(CITIES, RINGS, SAMPLE, Flag.OUT, Flag.REPEAT, Flag.MASTER);
  }

  @Override
  public void check(Options options) {
    options.number(Flag.REPEAT, 1, 100);
    options.number(SAMPLE, 1, 1_000_000);
  }

  @Override
  public Map<String, Object> run(SparkSession spark, Options options, PrintStream out)
      throws Exception {
    Path directory = Outputs.directory(options);
    Dataset<Row> cities =
        sample(Inputs.parquet(spark, options, CITIES), options.number(SAMPLE, 1, 1_000_000));
    Dataset<Row> rings = Inputs.parquet(spark, options, RINGS);
    CityCountries.register(spark);
    CityCountries all = new CityCountries(cities, rings);
    CityCountries sample = new CityCountries(sample(cities, WARM_UP), rings);

    out.println(about());
    out.printf(
        Locale.ROOT, "  %,d cities, %,d polygons, %s%n", cities.count(), rings.count(), all.skew());
    String answer = directory.resolve("answer.parquet").toString();
    SideBySide.Outcome outcome =
        new SideBySide(spark, out, answer, directory.resolve("answer-plain.parquet").toString())
            .run(sample::answer, all::answer, options.number(Flag.REPEAT, 1, 100));
    outcome.last().print(out);

    Agreement agreement = Agreement.of(spark.read().parquet(answer));
    out.println("  " + agreement);
    Path map = directory.resolve("map.png");
    WorldMap.draw(cities, rings, spark.read().parquet(answer), agreement).write(map, out);
    out.println("  map: " + map);

    Map<String, Object> result = new LinkedHashMap<>();
    result.put("agreement", agreement.share());
    result.put("secondsPlugin", outcome.secondsPlugin());
    result.put("secondsPlain", outcome.secondsPlain());
    result.put("rows", outcome.last().metric("numOutputRows"));
    result.put("stolenBlocks", outcome.last().metric("numStolenBlocks"));
    result.put("pictures", List.of(map.toString()));
    result.put("answer", answer);
    agreement.require(LEAST_AGREEMENT);
    return result;
  }

  private static Dataset<Row> sample(Dataset<Row> cities, int every) {
    return every == 1 ? cities : cities.where(col("city_id").mod(every).equalTo(0));
  }
}
