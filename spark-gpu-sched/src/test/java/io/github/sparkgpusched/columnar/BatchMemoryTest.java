package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.junit.jupiter.api.Test;

class BatchMemoryTest {
  private static final Executor OTHER_THREAD = command -> new Thread(command).start();

  /** Python's writer fills the batches that the task's thread has made; helpers do not. */
  @Test
  void theThreadThatFillsAsksSpark() {
    TaskMemoryManager tasks = tasks();
    try (BatchMemory memory = new BatchMemory(tasks)) {
      CompletableFuture.runAsync(() -> allocate(memory), OTHER_THREAD).join();
      assertEquals(0, memory.getUsed());
      CompletableFuture.runAsync(
              () -> {
                memory.setLimit(Long.MAX_VALUE);
                allocate(memory);
                assertEquals(100, memory.getUsed());
                assertTrue(memory.settle());
              },
              OTHER_THREAD)
          .join();
      assertEquals(200, memory.getUsed());
      allocate(memory);
      assertEquals(200, memory.getUsed());
    }
    assertEquals(0, tasks.getMemoryConsumptionForThisTask());
  }

  /** As where a task fails while another thread is in the middle of a row for a script. */
  @Test
  void whatAnotherThreadFillsIsFreedByThatThread() throws Exception {
    TaskMemoryManager tasks = tasks();
    BatchMemory memory = new BatchMemory(tasks);
    long before = BatchMemory.liveBytes();
    CountDownLatch filled = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    CompletableFuture<Void> feeder =
        CompletableFuture.runAsync(
            () -> {
              memory.setLimit(Long.MAX_VALUE);
              allocate(memory);
              filled.countDown();
              await(ended);
              assertEquals(before + 100, BatchMemory.liveBytes());
              assertThrows(IllegalStateException.class, () -> allocate(memory));
              memory.close();
            },
            OTHER_THREAD);
    await(filled);
    memory.endTask();
    assertEquals(0, tasks.getMemoryConsumptionForThisTask());
    assertEquals(before + 100, BatchMemory.liveBytes());
    ended.countDown();
    feeder.join();
    assertEquals(before, BatchMemory.liveBytes());
    assertEquals(0, tasks.getMemoryConsumptionForThisTask());
  }

  /** They never ask for another row: what they filled goes with them, in whatever order. */
  @Test
  void whatAThreadLeavesThatEndsIsFreed() throws Exception {
    long before = BatchMemory.liveBytes();
    CountDownLatch firstEnds = new CountDownLatch(1);
    CountDownLatch secondEnds = new CountDownLatch(1);
    fillOnAThread(firstEnds).endTask();
    fillOnAThread(secondEnds).endTask();
    assertEquals(before + 200, BatchMemory.liveBytes());
    secondEnds.countDown();
    Patience.await("the second's freed", () -> BatchMemory.liveBytes() < before + 200);
    assertEquals(before + 100, BatchMemory.liveBytes(), "the first may be in the middle of a row");
    firstEnds.countDown();
    Patience.await("the first's freed", () -> BatchMemory.liveBytes() == before);
  }

  private static BatchMemory fillOnAThread(CountDownLatch ends) {
    BatchMemory memory = new BatchMemory(tasks());
    CountDownLatch filled = new CountDownLatch(1);
    new Thread(
            () -> {
              memory.setLimit(Long.MAX_VALUE);
              allocate(memory);
              filled.countDown();
              await(ends);
            })
        .start();
    await(filled);
    return memory;
  }

  private static TaskMemoryManager tasks() {
    return new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(Patience.SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void allocate(BatchMemory memory) {
    try {
      memory.allocate(100);
    } catch (BatchMemory.Refused e) {
      throw new AssertionError(e);
    }
  }
}
