package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.rapids.cudf.CudfColumnSizeOverflowException;
import io.github.sparkgpusched.device.UdfCall;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class TooLargeTest {
  /** After which RAPIDS halves the batch: its own exceptions of the kind are no others. */
  @Test
  void itIsCudfsOwnException() {
    UdfCall call = new UdfCall("stars", List.of(), DataTypes.StringType);
    RuntimeException error = TooLarge.column(call, 40_000_000, 1L << 31);
    assertInstanceOf(CudfColumnSizeOverflowException.class, error);
    assertTrue(TriedAgain.isAfter(error));
    assertTrue(error.getMessage().contains("'stars'"), error::getMessage);
    assertTrue(error.getMessage().contains("2147483648 bytes"), error::getMessage);
    assertTrue(error.getMessage().contains("spark.rapids.sql.batchSizeBytes"), error::getMessage);
  }
}
