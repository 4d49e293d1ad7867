package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Deals;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Many small jobs by real threads that hand back, leave and come back. */
class StrategiesStressTest {
  private static final int JOBS = Integer.getInteger("stress.jobs", 1500);
  private static final int WORKERS = 3;
  private static final int STARTERS = 2;

  private static final class Threads implements AutoCloseable {
    final ExecutorService executor = Executors.newFixedThreadPool(WORKERS);
    final CyclicBarrier start = new CyclicBarrier(WORKERS);

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  @TestFactory
  List<DynamicTest> everyRowOnce() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : Strategies.names()) {
      tests.add(DynamicTest.dynamicTest(name, () -> jobs(name)));
    }
    return tests;
  }

  private static void jobs(String name) throws Exception {
    Strategy strategy = Strategies.byName(name, new Strategies.Options(3));
    try (Threads threads = new Threads()) {
      for (int job = 0; job < JOBS; job++) {
        int rows = job % 7 == 0 ? 500 : job % 20;
        RangeCosts costs = PrefixCosts.random(rows, new Random(job));
        Deal deal = Deals.hosts(rows, WORKERS, STARTERS, costs);
        job(name + ", job " + job, deal, strategy.deal(deal), threads);
      }
    }
  }

  private static void job(String what, Deal deal, Dealer dealer, Threads threads) throws Exception {
    AtomicIntegerArray published = new AtomicIntegerArray((int) deal.rows());
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      int worker = i;
      Random random = new Random(31L * worker + deal.rows());
      futures.add(
          threads.executor.submit(
              () -> {
                threads.start.await(Patience.SECONDS, TimeUnit.SECONDS);
                work(worker, deal, dealer, published, random);
                return null;
              }));
    }
    for (Future<?> future : futures) {
      try {
        future.get(2 * Patience.SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError(what, e.getCause());
      }
    }
    for (int row = 0; row < published.length(); row++) {
      assertEquals(1, published.get(row), what + ", row " + row);
    }
    assertEquals(0, dealer.rowsLeft(), what);
    assertEquals(deal.rows(), dealer.rowsCommitted(), what);
  }

  private static void work(
      int worker, Deal deal, Dealer dealer, AtomicIntegerArray published, Random random) {
    Claim claim = new Claim();
    long deadline = System.nanoTime() + Patience.NANOS;
    int handBacks = 6;
    if (worker >= STARTERS) {
      dealer.join(worker);
    }
    while (dealer.rowsCommitted() < deal.rows()) {
      long now = System.nanoTime();
      assertTrue(now < deadline, () -> "rows left: " + dealer.rowsLeft());
      if (!dealer.claim(worker, now, claim)) {
        // Rows in flight elsewhere may be handed back; those of workers that left must be seen.
        dealer.leave(worker);
        Thread.onSpinWait();
        dealer.join(worker);
        continue;
      }
      int choice = handBacks > 0 ? random.nextInt(8) : 2;
      if (choice == 0) {
        handBacks--;
        dealer.handBack(worker, claim, now);
        continue;
      }
      long reached = claim.until();
      if (choice == 1 && claim.rows() > 1) {
        handBacks--;
        reached = claim.from() + 1 + random.nextInt((int) claim.rows() - 1);
      }
      dealer.commit(worker, claim, reached, 1000, now);
      for (int i = 0; i < claim.wonRanges(); i++) {
        for (long row = claim.wonFrom(i); row < claim.wonUntil(i); row++) {
          published.incrementAndGet((int) row);
        }
      }
    }
    dealer.leave(worker);
  }
}
