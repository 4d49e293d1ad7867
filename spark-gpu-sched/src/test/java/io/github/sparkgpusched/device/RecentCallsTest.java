package io.github.sparkgpusched.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.testing.BareSpark;
import java.util.List;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BareSpark.class)
class RecentCallsTest {
  /** A function with a table. */
  public static final class Table implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;
    private final byte[] table;

    Table(int bytes) {
      table = new byte[bytes];
    }

    @Override
    public Long call(Long value) {
      return value + table.length;
    }
  }

  private final RecentCalls calls = new RecentCalls(6_400_000);

  private static UdfPattern table(int kilobytes) {
    return new UdfPattern("table", new Table(1_000 * kilobytes));
  }

  private void put(long number, UdfPattern udf) {
    UdfCall call = new UdfCall("table", List.of(DataTypes.LongType), DataTypes.LongType, number);
    calls.put(new SharedCalls.Shared(call, udf, false, true));
  }

  @Test
  void smallOnesAreKeptByTheThousand() {
    UdfPattern small = table(0);
    for (int number = 1; number <= 1001; number++) {
      put(number, small);
    }
    assertNull(calls.get(1));
    assertNotNull(calls.get(2));
    assertEquals(1001, calls.get(1001).call().number());
  }

  @Test
  void largeOnesLeaveByTheirBytes() {
    UdfPattern large = table(2_000);
    for (int number = 1; number <= 3; number++) {
      put(number, large);
    }
    assertNotNull(calls.get(1)); // it was used after the second
    put(4, large);
    assertNull(calls.get(2));
    assertNotNull(calls.get(1));
    put(4, large); // once more
    assertNotNull(calls.get(3));
  }

  @Test
  void theLastOneStaysHoweverLargeItIs() {
    put(1, table(1));
    put(2, table(6_500));
    assertNull(calls.get(1));
    assertNotNull(calls.get(2));
    put(3, table(1));
    assertNull(calls.get(2));
    assertNotNull(calls.get(3));
  }
}
