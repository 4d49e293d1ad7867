package io.github.sparkgpusched.it.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.it.testing.TestSpark;
import io.github.sparkgpusched.jobs.DemoJob;
import io.github.sparkgpusched.jobs.Job;
import io.github.sparkgpusched.jobs.MainJob;
import io.github.sparkgpusched.jobs.MandelbrotJob;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jobs on a part of their input, through their command line. */
class JobsTest {
  private static final String CITIES = "data/cities.parquet";
  private static final String RINGS = "data/rings.parquet";
  private static final int SEA = 0x0E1726;
  private static final int LAND = 0x24344D;

  private static SparkSession spark;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    spark = TestSpark.session();
  }

  @Test
  void mainJobFindsCountries() throws Exception {
    String cities = write(spark.read().parquet(CITIES).where("city_id % 100 = 7"));
    Launch launch =
        Launch.of(new MainJob(), "--cities", cities, "--rings", RINGS, "--out", directory + "/out");

    assertEquals(0, launch.status(), launch.err());
    JsonNode result = new ObjectMapper().readTree(launch.lastLine());
    Dataset<Row> answer = spark.read().parquet(result.get("answer").asText());
    assertEquals(1711, answer.count());
    double agreement = result.get("agreement").asDouble();
    assertEquals(
        answer.where("country <=> found_country").count() / 1711.0, agreement, 0, launch.out());
    assertTrue(agreement >= 0.97, launch.out());
    assertTrue(result.get("rows").asLong() > 1711, launch.out());
    assertTrue(result.get("stolenBlocks").isIntegralNumber(), launch.out());
    assertTrue(result.get("secondsPlugin").asDouble() > 0, launch.out());
    assertTrue(result.get("secondsPlain").asDouble() > 0, launch.out());
    assertTrue(launch.out().contains("both answers are the same"), launch.out());
    assertTrue(launch.out().contains("driver/host:0"), launch.out());
    assertMap(picture(result, 0));
  }

  private static void assertMap(BufferedImage map) {
    assertEquals(1600, map.getWidth());
    assertEquals(SEA, rgb(map, 300, 500), "the Pacific");
    assertEquals(LAND, rgb(map, 820, 313), "the Sahara");
    int dots = 0;
    for (int y = 80; y < 700; y++) {
      for (int x = 0; x < map.getWidth(); x++) {
        int color = rgb(map, x, y);
        dots += ((color >> 8) & 0xFF) > 0xA0 ? 1 : 0;
      }
    }
    assertTrue(dots > 500, dots + " bright pixels for 1711 cities");
  }

  @Test
  void mainJobFailsBelowItsAgreement() throws Exception {
    String cities =
        write(
            spark
                .read()
                .parquet(CITIES)
                .where("country = 'LU'")
                .selectExpr("city_id", "name", "'XX' country", "lon", "lat"));
    String rings = write(spark.read().parquet(RINGS).where("country in ('LU', 'BE')"));
    Launch launch = Launch.of(new MainJob(), "--cities", cities, "--rings", rings, "--out", out());

    assertEquals(1, launch.status());
    assertEquals(1, launch.err().lines().count(), launch.err());
    assertTrue(launch.err().contains("only 0.00% of the cities"), launch.err());
  }

  @Test
  void mandelbrotShowsTheSet() throws Exception {
    Launch launch =
        Launch.of(
            new MandelbrotJob(),
            "--out",
            out(),
            "--width",
            "60",
            "--height",
            "40",
            "--iterations",
            "300",
            "--repeat",
            "2");

    assertEquals(0, launch.status(), launch.err());
    JsonNode result = new ObjectMapper().readTree(launch.lastLine());
    assertEquals(4 * 60 * 40, result.get("rows").asLong());
    assertFalse(result.has("agreement"));
    List<Row> ends =
        spark
            .read()
            .parquet(result.get("answer").asText())
            .where("point in (0, 9599)")
            .orderBy("point")
            .collectAsList();
    assertTrue(ends.get(0).getInt(1) < 300, "the left of the picture is outside of the set");
    assertEquals(300, ends.get(1).getInt(1), "its lower right corner is inside");

    BufferedImage image = picture(result, 0);
    assertEquals(60, image.getWidth());
    assertEquals(40, image.getHeight());
    assertEquals(0, rgb(image, 59, 39), "inside is black");
    int left = rgb(image, 8, 20);
    assertTrue((left & 0xFF) > (left >> 16), "outside is blue: " + Integer.toHexString(left));
  }

  @Test
  void demoRunsBoth() throws Exception {
    String cities = write(spark.read().parquet(CITIES).where("country = 'CH'"));
    String rings = write(spark.read().parquet(RINGS).where("country in ('CH', 'LI', 'FR')"));
    Launch launch =
        Launch.of(
            new DemoJob(),
            "--cities",
            cities,
            "--rings",
            rings,
            "--out",
            out(),
            "--width",
            "20",
            "--height",
            "20");

    assertEquals(0, launch.status(), launch.err());
    JsonNode result = new ObjectMapper().readTree(launch.lastLine());
    assertTrue(result.get("agreement").asDouble() > 0.97);
    assertEquals(1600, result.get("mandelbrot").get("rows").asLong());
    assertEquals(20, picture(result, 1).getWidth());
  }

  @Test
  void sayWhatIsWrongInOneLine() throws Exception {
    assertRefused("--cities is missing", new MainJob());
    assertRefused("unknown argument '--citties'", new MainJob(), "--citties", CITIES);
    assertRefused("--out needs a value", new MainJob(), "--out");
    assertRefused(
        "--repeat 'often' is not a whole number from 1 to 100",
        new MainJob(),
        "--cities",
        CITIES,
        "--rings",
        RINGS,
        "--out",
        out(),
        "--repeat",
        "often");
    assertRefused(
        "--cities 'no/such.parquet' is not there",
        new MainJob(),
        "--cities",
        "no/such.parquet",
        "--rings",
        RINGS,
        "--out",
        out());
    Path file = Files.createFile(directory.resolve("file"));
    assertRefused("cannot be made a directory", new MandelbrotJob(), "--out", file.toString());
    assertRefused(
        "--width '0' is not a whole number from 1 to 10000",
        new MandelbrotJob(),
        "--out",
        out(),
        "--width",
        "0");
  }

  @Test
  void helpNamesEveryFlag() throws Exception {
    Launch launch = Launch.of(new DemoJob(), "--help");
    assertEquals(0, launch.status());
    for (String flag : List.of("--cities", "--rings", "--out", "--repeat", "--master", "--width")) {
      assertTrue(launch.out().contains(flag), flag);
    }
  }

  private static void assertRefused(String why, Job job, String... arguments) throws Exception {
    Launch launch = Launch.of(job, arguments);
    assertEquals(2, launch.status());
    assertEquals(1, launch.err().lines().count(), launch.err());
    assertTrue(launch.err().startsWith(job.name() + ": "), launch.err());
    assertTrue(launch.err().contains(why), launch.err());
  }

  private String write(Dataset<Row> rows) {
    String path = directory.resolve("input-" + System.nanoTime()).toString();
    rows.write().parquet(path);
    return path;
  }

  private String out() {
    return directory.resolve("out").toString();
  }

  private static BufferedImage picture(JsonNode result, int index) throws IOException {
    return ImageIO.read(Path.of(result.get("pictures").get(index).asText()).toFile());
  }

  private static int rgb(BufferedImage image, int x, int y) {
    return image.getRGB(x, y) & 0xFFFFFF;
  }
}
