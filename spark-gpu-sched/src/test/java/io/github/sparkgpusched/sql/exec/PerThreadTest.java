package io.github.sparkgpusched.sql.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PerThreadTest {
  /** More than a new map has places, so that two at least share one. */
  private static final int THREADS = 40;

  /** A user's deserializer may wait for another thread's: a pool of connections, a class's lock. */
  @Test
  void threadsThatMakeTheirsDoNotWaitForEachOther() throws Exception {
    CyclicBarrier all = new CyclicBarrier(THREADS);
    PerThread<Object> values =
        new PerThread<>(
            () -> {
              try {
                all.await(Patience.SECONDS, TimeUnit.SECONDS);
              } catch (Exception e) {
                throw new IllegalStateException("others wait for this thread's place", e);
              }
              return new Object();
            });
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Object>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        futures.add(
            pool.submit(
                () -> {
                  Object mine = values.get();
                  assertSame(mine, values.get());
                  return mine;
                }));
      }
      Set<Object> different = new HashSet<>();
      for (Future<Object> future : futures) {
        different.add(get(future));
      }
      assertEquals(THREADS, different.size());
      assertEquals(different, new HashSet<>(values.all()));
    } finally {
      pool.shutdownNow();
      assertTrue(pool.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS));
    }
  }

  private static Object get(Future<Object> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void oneThatCouldNotBeMadeIsMadeWhenItIsAskedForAgain() {
    List<String> made = new ArrayList<>();
    PerThread<String> values =
        new PerThread<>(
            () -> {
              made.add("once more");
              if (made.size() == 1) {
                throw new IllegalArgumentException("not yet");
              }
              return "made";
            });
    assertThrows(IllegalArgumentException.class, values::get);
    assertTrue(values.all().isEmpty());
    assertEquals("made", values.get());
    assertEquals("made", values.get());
    assertEquals(2, made.size());
  }
}
