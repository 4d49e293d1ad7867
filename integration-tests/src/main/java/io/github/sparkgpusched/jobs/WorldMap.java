package io.github.sparkgpusched.jobs;

import io.github.sparkgpusched.jobs.Agreement.Verdict;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The answer as a map of the world: a dot a city. */
final class WorldMap {
  static final int WIDTH = 1600;
  static final int HEIGHT = 860;

  static final Color SEA = new Color(0x0E1726);
  static final Color LAND = new Color(0x24344D);
  private static final Color BORDER = new Color(0x3D5273);
  private static final Color TEXT = new Color(0xE6ECF5);
  private static final Color FAINT_TEXT = new Color(0x93A4BF);

  /** In the order of drawing: the few on top of the many. */
  private static final Map<Verdict, Color> COLORS = new EnumMap<>(Verdict.class);

  static {
    COLORS.put(Verdict.AGREE, new Color(0x5CC8B0));
    COLORS.put(Verdict.NOWHERE, new Color(0xFFC24B));
    COLORS.put(Verdict.DISAGREE, new Color(0xFF5C7A));
  }

  private static final NaturalEarthProjection PROJECTION =
      new NaturalEarthProjection(20, 70, WIDTH - 40, 84);

  private final Picture picture = new Picture(WIDTH, HEIGHT);
  private final Graphics2D graphics = picture.graphics();

  private WorldMap() {}

  static Picture draw(
      Dataset<Row> cities, Dataset<Row> rings, Dataset<Row> answer, Agreement agreement) {
    WorldMap map = new WorldMap();
    map.graphics.setColor(SEA);
    map.graphics.fillRect(0, 0, WIDTH, HEIGHT);
    map.drawLand(rings);
    map.drawCities(cities, answer);
    map.drawLegend(agreement);
    return map.picture;
  }

  /** The pixel of a position in degrees. */
  static Point2D pixel(double lon, double lat) {
    return PROJECTION.at(lon, lat);
  }

  private void drawLand(Dataset<Row> rings) {
    graphics.setStroke(new BasicStroke(0.6f));
    Iterator<Row> rows =
        rings.where("country is distinct from 'AQ'").select("xs", "ys").toLocalIterator();
    while (rows.hasNext()) {
      Row ring = rows.next();
      Path2D outline = outline(ring.getList(0), ring.getList(1));
      graphics.setColor(LAND);
      graphics.fill(outline);
      graphics.setColor(BORDER);
      graphics.draw(outline);
    }
  }

  /** A NaN vertex stands between the rings of a polygon with holes. */
  private static Path2D outline(List<Double> xs, List<Double> ys) {
    Path2D path = new Path2D.Double(Path2D.WIND_EVEN_ODD);
    boolean begun = false;
    for (int i = 0; i < xs.size(); i++) {
      if (Double.isNaN(xs.get(i))) {
        begun = false;
        continue;
      }
      Point2D at = pixel(xs.get(i), ys.get(i));
      if (begun) {
        path.lineTo(at.getX(), at.getY());
      } else {
        path.moveTo(at.getX(), at.getY());
        begun = true;
      }
    }
    return path;
  }

  private void drawCities(Dataset<Row> cities, Dataset<Row> answer) {
    List<Row> dots =
        cities
            .select("city_id", "lon", "lat")
            .join(answer.select(answer.col("city_id"), Agreement.VERDICT.as("verdict")), "city_id")
            .select("lon", "lat", "verdict")
            .collectAsList();
    for (Verdict verdict : new Verdict[] {Verdict.AGREE, Verdict.NOWHERE, Verdict.DISAGREE}) {
      graphics.setColor(COLORS.get(verdict));
      double size = verdict == Verdict.AGREE ? 1.3 : 2.2;
      for (Row dot : dots) {
        if (dot.getString(2).equals(verdict.name())) {
          drawDot(pixel(dot.getDouble(0), dot.getDouble(1)), size);
        }
      }
    }
  }

  private void drawDot(Point2D at, double size) {
    graphics.fill(new Ellipse2D.Double(at.getX() - size / 2, at.getY() - size / 2, size, size));
  }

  private void drawLegend(Agreement agreement) {
    picture.text("Which country is each of the world's cities in?", 24, 38, 24, TEXT);
    picture.text(
        String.format(
            Locale.ROOT,
            "%,d cities, each tested against the outlines of countries by a UDF; %.2f%% agree with"
                + " GeoNames",
            agreement.cities(),
            100 * agreement.share()),
        24,
        62,
        15,
        FAINT_TEXT);
    int y = HEIGHT - 96;
    entry(Verdict.AGREE, agreement.agree(), "in the country that GeoNames gives", y);
    entry(Verdict.DISAGREE, agreement.disagree(), "in another country's outline", y + 24);
    entry(Verdict.NOWHERE, agreement.nowhere(), "in no outline (ports, islets)", y + 48);
    picture.text(
        "City data: GeoNames, CC-BY 4.0. Outlines: Natural Earth.",
        24,
        HEIGHT - 16,
        13,
        FAINT_TEXT);
  }

  private void entry(Verdict verdict, long cities, String meaning, int y) {
    graphics.setColor(COLORS.get(verdict));
    drawDot(new Point2D.Double(30, y), 10);
    picture.text(String.format(Locale.ROOT, "%,d %s", cities, meaning), 44, y + 5, 15, TEXT);
  }
}
