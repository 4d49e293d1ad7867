package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerHelpersTest {
  private static JobSpec allTogether(int threads) {
    CyclicBarrier all = new CyclicBarrier(threads);
    return Rig.slow(
        threads, Rig.body((from, until) -> all.await(Patience.SECONDS, TimeUnit.SECONDS)));
  }

  @Test
  void thereAreNoneUntilNeededThenOneLessThanDevicesAndTheyWaitWithoutTimeOut() throws Exception {
    try (Rig rig = new Rig(3)) {
      assertEquals(List.of(), Rig.helpers());
      for (int i = 0; i < 20; i++) {
        rig.job(allTogether(3)).get();
      }
      List<Thread> helpers = Rig.helpers();
      assertEquals(
          List.of("gpusched-host-0", "gpusched-host-1"),
          helpers.stream().map(Thread::getName).sorted().toList());
      assertTrue(helpers.stream().allMatch(Thread::isDaemon));
      Patience.await(
          "helpers wait without a time-out",
          () -> helpers.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
      Thread.sleep(50);
      assertTrue(helpers.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
    }
    assertEquals(List.of(), Rig.helpers());
  }

  @Test
  void theyKeepNothingOfATask() throws Exception {
    InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
    AtomicReference<ClassLoader> atStart = new AtomicReference<>();
    AtomicReference<String> inherited = new AtomicReference<>("unseen");
    try (Rig rig = new Rig(2);
        URLClassLoader loader = new URLClassLoader(new URL[0])) {
      CountDownLatch helped = new CountDownLatch(1);
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (Rig.onHelper()) {
                  atStart.compareAndSet(null, Thread.currentThread().getContextClassLoader());
                  inherited.set(inheritable.get());
                  Thread.currentThread().setContextClassLoader(loader);
                  helped.countDown();
                } else {
                  Patience.await(helped);
                }
              });
      rig.task(
              () -> {
                inheritable.set("the task's");
                Thread.currentThread().setContextClassLoader(loader);
                return rig.scheduler.run(Rig.slow(2, body));
              })
          .get();
      assertSame(Scheduler.class.getClassLoader(), atStart.get());
      assertEquals(null, inherited.get());
      for (Thread helper : Rig.helpers()) {
        Patience.await(
            "the class loader is put back",
            () -> helper.getContextClassLoader() == Scheduler.class.getClassLoader());
      }
    }
  }

  @Test
  void aFunctionMayRunJobsOfItsOwn() throws Exception {
    try (Rig rig = new Rig(3)) {
      LongAdder inner = new LongAdder();
      RangeBody innerBody =
          Rig.body(
              (from, until) -> {
                inner.add(until - from);
                Rig.spin(2_000);
              });
      RangeBody outerBody = Rig.body((from, until) -> rig.scheduler.run(Rig.slow(50, innerBody)));
      JobStats stats = rig.job(Rig.slow(40, outerBody)).get();
      assertEquals(40, stats.rows());
      assertEquals(40 * 50, inner.sum());
      rig.assertIdle();
      long busy = 0;
      for (int device = 0; device < 3; device++) {
        busy += rig.table.entry(device).snapshot().busyNanos();
      }
      assertTrue(busy > 0);
    }
  }

  @Test
  void aNestedJobGoesByTheSameDevice() throws Exception {
    try (Rig rig = new Rig(2)) {
      rig.scheduler.taskStarted(1); // no idle core: all on one thread
      AtomicInteger others = new AtomicInteger();
      RangeBody outer =
          outerDevice ->
              (from, until) ->
                  rig.scheduler.run(
                      Rig.slow(
                          3,
                          device -> {
                            others.addAndGet(device == outerDevice ? 0 : 1);
                            return (a, b) -> Rig.spin(1000);
                          }));
      JobStats stats = rig.job(Rig.slow(2, outer)).get();
      assertEquals(0, others.get());
      assertEquals(8, rig.table.entry(0).snapshot().rows());
      assertEquals(
          stats.busyNanos(),
          rig.table.entry(0).snapshot().busyNanos(),
          "the inner jobs' time is within the outer one's");
    }
  }

  @Test
  void aFailureOfANestedJobEndsTheOuterOne() throws Exception {
    try (Rig rig = new Rig(3)) {
      IllegalStateException failure = new IllegalStateException("inner");
      RangeBody inner =
          Rig.body(
              (from, until) -> {
                if (from == 30) {
                  throw failure;
                }
              });
      RangeBody outer = Rig.body((from, until) -> rig.scheduler.run(Rig.slow(50, inner)));
      assertSame(failure, rig.job(Rig.slow(40, outer)).failure());
      rig.assertIdle();
    }
  }
}
