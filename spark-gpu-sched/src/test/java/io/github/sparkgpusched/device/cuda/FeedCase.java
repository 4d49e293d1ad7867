package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** What {@link FeedBench} feeds: calls by the shapes of their columns. None has nulls. */
enum FeedCase {
  ONE("one double in, one out"),
  TWO("two doubles in, one out"),
  LITERAL("a double and a literal in, one out"),
  STRINGS("two strings in, an int out"),
  ARRAYS("two doubles, two arrays in");

  private static final DataType DOUBLE = DataTypes.DoubleType;

  final String title;

  FeedCase(String title) {
    this.title = title;
  }

  /** A batch of rows that are filled. */
  Batch batch(int rows) {
    return switch (this) {
      case ONE ->
          new Batch(rows, new FeedFunctions.Twice(), "twice", DOUBLE, DOUBLE)
              .argument(row -> 0.5 * row);
      case TWO ->
          new Batch(rows, new FeedFunctions.Plus(), "plus", DOUBLE, DOUBLE, DOUBLE)
              .argument(row -> 0.5 * row)
              .argument(row -> 1.0 * row);
      case LITERAL ->
          new Batch(rows, new FeedFunctions.Plus(), "plus", DOUBLE, DOUBLE, DOUBLE)
              .argument(row -> 0.5 * row)
              .literal(1.5);
      case STRINGS ->
          Batches.distances(rows)
              .argument(row -> ("Sankt " + row % 9973).getBytes(StandardCharsets.UTF_8))
              .argument(row -> ("San " + row % 3137).getBytes(StandardCharsets.UTF_8));
      case ARRAYS -> {
        Double[][] rings = new Double[50][];
        for (int i = 0; i < rings.length; i++) {
          rings[i] = new Double[20];
          java.util.Arrays.setAll(rings[i], at -> Math.cos(0.3 * at));
        }
        // As a join gives them: rows of one ring follow each other.
        IntFunction<Object> ring = row -> rings[row / 100 % rings.length];
        yield Batches.inRings(rows)
            .argument(row -> 0.5)
            .argument(row -> 0.1)
            .argument(ring)
            .argument(ring);
      }
    };
  }
}
