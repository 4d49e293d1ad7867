package io.github.sparkgpusched.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.testing.BareSpark;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is seen of a function as it is serialized. */
@ExtendWith(BareSpark.class)
class UdfPatternTest {
  /** A function that refers to an object. */
  public static final class Refers implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // which is what the tests are about
    private final Object what;

    Refers(Object what) {
      this.what = what;
    }

    @Override
    public Long call(Long value) {
      return value + what.hashCode();
    }
  }

  private static UdfPattern pattern(Object what) {
    return new UdfPattern("refers", new Refers(what));
  }

  @Test
  void anAccumulatorIsSeenWhereverItIs() {
    LongAccumulator counter = SparkSession.active().sparkContext().longAccumulator("rows");
    assertTrue(pattern(counter).hasAccumulator());
    assertTrue(pattern(List.of(1, new Refers(counter))).hasAccumulator());
    assertFalse(pattern(List.of(1, 2)).hasAccumulator());
  }

  @Test
  void copiesAreLikeTheFunction() throws Exception {
    UDF1<?, ?> copy =
        (UDF1<?, ?>) pattern("some text").copy(Thread.currentThread().getContextClassLoader());
    assertEquals(7L + "some text".hashCode(), ((Refers) copy).call(7L));
  }

  /** As plain Spark's error does. */
  @Test
  void theErrorSaysWhatCannotBeSerialized() {
    GpuUdfException e = assertThrows(GpuUdfException.class, () -> pattern(new Object()));
    assertTrue(e.getMessage().startsWith("UDF 'refers' ("), e.getMessage());
    assertTrue(e.getCause().getMessage().contains("name: what"), e.getCause().getMessage());
  }
}
