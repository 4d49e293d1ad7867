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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a task holds while its listeners end it, last first: all of its batches, until those have
 * run that were added by operators above.
 */
class TaskEndTest extends SqlTest {
  private static final int BATCH = 16;
  private static final int RUNS = 50;

  private static final AtomicLong READ = new AtomicLong();

  /** Rows that the task had read when it was handed its first, then bytes, first listener first. */
  private static final List<Long> SEEN = new ArrayList<>();

  /** As Python's writer: the thread that reads is waited for by a listener older than the batch. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "always"})
  void aBatchThatIsMadeLateIsHeldAsLongAsTheFirst(String batching) {
    spark.conf().set(BATCHING, batching);
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
    try (RandomSwitches switches = RandomSwitches.none(BATCH)) {
      for (int run = 0; run < RUNS; run++) {
        endEarly();
        if (SEEN.get(0) > BATCH) { // the second batch was filled before the first was handed on
          assertEquals(SEEN.get(1), SEEN.get(2), "bytes held before and after the batches' own");
          assertTrue(switches.batches() == 0 || SEEN.get(1) > 0);
          return;
        }
      }
    }
    fail("nobody helps");
  }

  private static void endEarly() {
    READ.set(0);
    SEEN.clear();
    FlatMapFunction<Iterator<InternalRow>, Long> first =
        rows -> {
          TaskContext task = TaskContext.get();
          task.addTaskCompletionListener(TaskEndTest::seeBytes);
          assertTrue(rows.hasNext());
          SEEN.add(READ.get());
          task.addTaskCompletionListener(TaskEndTest::seeBytes);
          return List.<Long>of().iterator();
        };
    spark
        .range(0, 8 * BATCH, 1, 1)
        .selectExpr("counted(id) v")
        .selectExpr("slow(v)")
        .queryExecution()
        .toRdd()
        .toJavaRDD()
        .mapPartitions(first)
        .collect();
  }

  private static void seeBytes(TaskContext task) {
    SEEN.add(task.taskMemoryManager().getMemoryConsumptionForThisTask());
  }
}
