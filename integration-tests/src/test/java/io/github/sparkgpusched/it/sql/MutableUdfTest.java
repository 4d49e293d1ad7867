package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.TestUdf1;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads work on one partition: each has its own copy of the UDF, and sees the task. */
class MutableUdfTest extends SqlTest {
  private static final int ROWS = 20_000;

  /** What a call takes until a second thread has come: two seconds for all rows, at most. */
  private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** Seen by all copies. */
  private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();

  private static final AtomicLong WITHOUT_TASK = new AtomicLong();
  private static final AtomicLong PARTITIONS = new AtomicLong();

  /** Sums the digits by way of a field; a second thread in the same copy would spoil it. */
  private static final class DigitSum implements TestUdf1<Long, Long> {
    private static final long serialVersionUID = 1L;
    private long left;
    private long sum;
    private Thread owner;

    @Override
    public Long call(Long number) {
      note();
      if (owner == null) {
        owner = Thread.currentThread();
      } else if (owner != Thread.currentThread()) {
        throw new IllegalStateException("used by two threads");
      }
      left = number;
      sum = 0;
      while (left > 0) {
        sum += left % 10;
        left /= 10;
        // Time for another thread to step in.
        Thread.onSpinWait();
      }
      return sum;
    }
  }

  private static final AtomicLong COPIES = new AtomicLong();

  /** Counts how often it is copied. */
  private static final class Copied implements TestUdf1<Long, Long> {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      COPIES.incrementAndGet();
    }

    @Override
    public Long call(Long number) {
      return number + 1;
    }
  }

  /** The partitions that a task reads have the same copies, in batches and in place. */
  @ParameterizedTest
  @ValueSource(strings = {"always", "never"})
  void aTaskHasACopyForEachThread(String batching) {
    spark.udf().register("copied", new Copied(), DataTypes.LongType);
    spark.conf().set(BATCHING, batching);
    Dataset<Row> rows = spark.range(0, 4000, 1, 40).selectExpr("copied(id) y").coalesce(1);
    assertEquals(40, spark.range(0, 4000, 1, 40).javaRDD().getNumPartitions());
    rows.count(); // Spark itself copies it as it plans
    COPIES.set(0);
    assertEquals(4000, rows.agg(functions.max("y")).first().getLong(0));
    // A copy of Spark's in each of two stages, and one for the task's thread and each that helps
    // it.
    assertTrue(COPIES.get() <= 8, COPIES + " copies");
  }

  /** Takes its time until a second thread has seen that there is work for it. */
  private static void note() {
    THREADS.add(Thread.currentThread());
    long began = System.nanoTime();
    while (THREADS.size() < 2 && System.nanoTime() - began < PATIENCE_NANOS) {
      Thread.onSpinWait();
    }
    TaskContext task = TaskContext.get();
    if (task == null) {
      WITHOUT_TASK.incrementAndGet();
    } else {
      PARTITIONS.accumulateAndGet(task.partitionId(), Math::max);
    }
  }

  private static void begin() {
    THREADS.clear();
    WITHOUT_TASK.set(0);
  }

  /** One partition, so that the threads of both cores can only work together. */
  @Test
  void eachThreadHasItsOwnCopy() {
    spark.udf().register("digit_sum", new DigitSum(), DataTypes.LongType);
    begin();
    Dataset<Row> result =
        spark
            .range(0, ROWS, 1, 1)
            .selectExpr(
                "id",
                "digit_sum(id) s",
                "id % 10 + id div 10 % 10 + id div 100 % 10 + id div 1000 % 10 + id div 10000 % 10 t");
    assertTrue(isBatched(result), () -> plan(result));
    assertEquals(0, result.where("s <> t").count());
    assertEquals(2, THREADS.size(), THREADS::toString);
    assertEquals(0, WITHOUT_TASK.get());
    assertEquals(0, PARTITIONS.get());
  }

  /** The session says which class dates are of; also on threads that are not the task's. */
  @Test
  void helpersSeeTheSession() {
    TestUdf1<LocalDate, LocalDate> tomorrow =
        date -> {
          note();
          return date.plusDays(1);
        };
    spark.udf().register("tomorrow", tomorrow, DataTypes.DateType);
    set(Map.of(JAVA8, "true"));
    begin();
    Dataset<Row> result =
        spark
            .range(0, ROWS, 1, 1)
            .selectExpr("date_add(date'1900-01-01', cast(id as int)) d")
            .where("tomorrow(d) <> date_add(d, 1)");
    assertTrue(isBatched(result), () -> plan(result));
    assertEquals(0, result.count());
    assertEquals(2, THREADS.size(), THREADS::toString);
  }
}
