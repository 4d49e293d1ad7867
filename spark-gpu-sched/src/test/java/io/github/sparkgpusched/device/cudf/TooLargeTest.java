package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.rapids.cudf.CudfException;
import io.github.sparkgpusched.device.UdfCall;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class TooLargeTest {
  /** RAPIDS does not try again after it, but tells the user. */
  @Test
  void whatCannotBeIsTriedOnce() {
    UdfCall call = new UdfCall("stars", List.of(), DataTypes.StringType);
    RuntimeException error = TooLarge.column(call, 40_000_000, 1L << 31);
    assertFalse(error instanceof CudfException);
    assertFalse(TriedAgain.isAfter(error));
    assertTrue(error.getMessage().contains("'stars'"), error::getMessage);
    assertTrue(error.getMessage().contains("2147483648 bytes"), error::getMessage);
    assertTrue(error.getMessage().contains("spark.rapids.sql.batchSizeBytes"), error::getMessage);
  }
}
