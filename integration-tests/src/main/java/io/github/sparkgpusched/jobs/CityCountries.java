package io.github.sparkgpusched.jobs;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.floor;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.spark_partition_id;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;

import io.github.sparkgpusched.functions.PointInRing;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** The query of the main job: which country's polygon is each city in? */
public final class CityCountries {
  /**
   * Partitions of the pairs. A number of its own, since an adaptive plan would put them together
   * again: they are few bytes, and Spark does not know what a row costs.
   */
  private static final int PARTITIONS = 16;

  private final Dataset<Row> cities;
  private final Dataset<Row> rings;
  private final Column partitionedBy;

  /** The query over cities and rings as the demo data has them. */
  public CityCountries(Dataset<Row> cities, Dataset<Row> rings) {
    this(cities, rings, col("ring_country"));
  }

  /**
   * The same with another distribution of the work.
   *
   * @param partitionedBy of a pair of a city and a polygon
   */
  public CityCountries(Dataset<Row> cities, Dataset<Row> rings, Column partitionedBy) {
    this.cities = cities;
    this.rings = rings;
    this.partitionedBy = partitionedBy;
  }

  /** Registers the UDF, in the way of every Java UDF of Spark. */
  public static void register(SparkSession spark) {
    spark.udf().register("point_in_ring", new PointInRing(), DataTypes.BooleanType);
  }

  /**
   * One row a city: {@code city_id}, {@code country} as GeoNames gives it, and of the polygon that
   * it is in {@code found_country} and {@code found_name}. These are null if it is in none; some
   * polygons, disputed ones, have a name and no country.
   */
  public Dataset<Row> answer() {
    Dataset<Row> vertices = rings.select("ring_id", "xs", "ys");
    Dataset<Row> hits =
        pairs()
            .join(broadcast(vertices), "ring_id")
            .where(call_function("point_in_ring", col("lon"), col("lat"), col("xs"), col("ys")))
            .groupBy("city_id")
            // A city in several polygons keeps one row. There is none in this data.
            .agg(min(struct("ring_id", "ring_country", "ring_name")).as("ring"));
    return cities
        .select("city_id", "country")
        .join(hits, new String[] {"city_id"}, "left")
        .select(
            col("city_id"),
            col("country"),
            col("ring.ring_country").as("found_country"),
            col("ring.ring_name").as("found_name"));
  }

  /**
   * Each city with each polygon whose bounding box holds it.
   *
   * <p>A join on boxes alone would compare every city with every polygon. So a polygon gets one row
   * a degree of latitude that it reaches into, and the join is an equi-join on that degree; a city
   * is in one degree, so no pair comes twice. The vertices stay behind: they would be copied with
   * every row.
   *
   * <p>The pairs are partitioned by the polygon's country, as one does who goes on to work country
   * by country. That makes the work per partition as skewed as the world is: the outline of Russia
   * has 22,849 vertices and that of the median polygon 21, and large countries have large boxes
   * with many cities in them.
   */
  private Dataset<Row> pairs() {
    Dataset<Row> boxes =
        rings.select(
            col("ring_id"),
            col("country").as("ring_country"),
            col("name").as("ring_name"),
            col("min_lon"),
            col("max_lon"),
            col("min_lat"),
            col("max_lat"),
            size(col("xs")).as("vertices"),
            explode(expr("sequence(floor(min_lat), floor(max_lat))")).as("degree"));
    return cities
        .select(col("city_id"), col("lon"), col("lat"), floor(col("lat")).as("degree"))
        .join(broadcast(boxes), "degree")
        .where("lon between min_lon and max_lon and lat between min_lat and max_lat")
        .select("city_id", "lon", "lat", "ring_id", "ring_country", "ring_name", "vertices")
        .repartition(PARTITIONS, partitionedBy);
  }

  /** How the work lies in the partitions, in one line. */
  public String skew() {
    List<Row> edges =
        pairs()
            .groupBy(spark_partition_id())
            .agg(sum("vertices").as("edges"))
            .orderBy(col("edges").desc())
            .collectAsList();
    long all = edges.stream().mapToLong(row -> row.getLong(1)).sum();
    return String.format(
        java.util.Locale.ROOT,
        "%,d edge tests; the heaviest of %d partitions has %.0f%% of them",
        all,
        PARTITIONS,
        edges.isEmpty() ? 0 : 100.0 * edges.get(0).getLong(1) / all);
  }
}
