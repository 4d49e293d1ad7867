package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.sparkgpusched.it.testing.RandomSwitches;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a task holds of memory while its two batches take turns, and while it ends. */
class HeldBatchesTest extends SqlTest {
  private static final int BATCH = 16;
  private static final int RUNS = 50;

  /** Rows that the task has read. */
  private static final AtomicLong READ = new AtomicLong();

  /** Those that it had read when it was handed its first. */
  private static volatile long ahead;

  /** Bytes that it held, whenever {@link #see} was called. */
  private static final List<Long> HELD = new ArrayList<>();

  @BeforeEach
  void register() {
    spark.conf().set(BATCH_ROWS, String.valueOf(BATCH));
    TestUdf1<Long, Long> slow =
        value -> {
          Thread.sleep(1); // as much work as helpers come for
          return value;
        };
    UDF1<Long, Long> counted =
        value -> {
          READ.incrementAndGet();
          return value;
        };
    spark.udf().register("slow", slow, DataTypes.LongType);
    spark.udf().register("counted", counted, DataTypes.LongType);
  }

  /**
   * Has a task read rows that are computed in batches, of which the second was filled before the
   * first was handed on.
   */
  private static void read(int rows, FlatMapFunction<Iterator<InternalRow>, Long> reader) {
    for (int run = 0; run < RUNS; run++) {
      READ.set(0);
      HELD.clear();
      spark
          .range(0, rows, 1, 1)
          .selectExpr("counted(id) v")
          .selectExpr("slow(v)")
          .queryExecution()
          .toRdd()
          .toJavaRDD()
          .mapPartitions(reader)
          .collect();
      if (ahead > BATCH) {
        return;
      }
    }
    fail("nobody helps");
  }

  private static void see(TaskContext task) {
    HELD.add(task.taskMemoryManager().getMemoryConsumptionForThisTask());
  }

  /**
   * Spark's listeners run last first. As with Python's writer: the thread that reads is waited for
   * by a listener that is older than the second batch.
   */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "always"})
  void aBatchThatIsMadeLateIsHeldAsLongAsTheFirst(String batching) {
    spark.conf().set(BATCHING, batching);
    try (RandomSwitches switches = RandomSwitches.none(BATCH)) {
      read(
          8 * BATCH,
          rows -> {
            TaskContext task = TaskContext.get();
            task.addTaskCompletionListener(HeldBatchesTest::see);
            assertTrue(rows.hasNext());
            ahead = READ.get();
            task.addTaskCompletionListener(HeldBatchesTest::see);
            return List.<Long>of().iterator();
          });
      assertEquals(0, switches.stretches());
    }
    assertTrue(HELD.get(0) > 0);
    assertEquals(HELD.get(0), HELD.get(1), "a batch was freed between");
  }

  /** The last batch is of one row; what the one before it held is there for it. */
  @Test
  void aBatchThatIsNotFilledAgainHoldsNothing() {
    spark.conf().set(BATCHING, "always");
    read(
        2 * BATCH + 1,
        rows -> {
          for (int row = 0; rows.hasNext(); row++) {
            if (row == 0) {
              ahead = READ.get();
            }
            if (row == BATCH && READ.get() <= 2 * BATCH) {
              ahead = 0; // the helper was late: it is tried again
            }
            if (row % BATCH == 0) {
              see(TaskContext.get());
            }
            rows.next();
          }
          return List.<Long>of().iterator();
        });
    assertEquals(3, HELD.size());
    assertTrue(HELD.get(2) < HELD.get(1), HELD::toString);
  }
}
