package io.github.sparkgpusched.testing;

import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A session without the plugin while the tests of a class run: Spark's serializer, which functions
 * are copied by, belongs to a session.
 */
public final class BareSpark implements BeforeAllCallback, AfterAllCallback {
  private SparkSession spark;

  @Override
  public void beforeAll(ExtensionContext context) {
    spark =
        SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    spark.stop();
  }
}
