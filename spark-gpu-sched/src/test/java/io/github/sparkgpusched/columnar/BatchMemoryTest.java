package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.junit.jupiter.api.Test;

class BatchMemoryTest {
  private static final Executor OTHER_THREAD = command -> new Thread(command).start();

  /** Python's writer fills the batches that the task's thread has made; helpers do not. */
  @Test
  void theThreadThatFillsAsksSpark() {
    TaskMemoryManager tasks =
        new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0);
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

  private static void allocate(BatchMemory memory) {
    try {
      memory.allocate(100);
    } catch (BatchMemory.Refused e) {
      throw new AssertionError(e);
    }
  }
}
