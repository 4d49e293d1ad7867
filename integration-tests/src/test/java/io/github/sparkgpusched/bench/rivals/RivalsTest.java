package io.github.sparkgpusched.bench.rivals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each rival keeps to what a dealer is: every row once, whatever is handed back. */
class RivalsTest {
  private static final int WORKERS = 3;
  private static final int STARTERS = 2;
  private static final int JOBS = 300;
  private static final long TIMEOUT_SECONDS = 600;

  /** Few rows a block, so that ends and borders come up often. */
  private static final Map<String, Strategy> SMALL = Rivals.others(8, 4);

  @TestFactory
  List<DynamicTest> everyRowOnceInTurns() {
    List<DynamicTest> tests = new ArrayList<>();
    SMALL.forEach(
        (name, strategy) ->
            tests.add(
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      for (int job = 0; job < JOBS; job++) {
                        inTurns(name + ", job " + job, strategy, job);
                      }
                    })));
    return tests;
  }

  @TestFactory
  List<DynamicTest> everyRowOnceByThreads() {
    List<DynamicTest> tests = new ArrayList<>();
    SMALL.forEach(
        (name, strategy) -> tests.add(DynamicTest.dynamicTest(name, () -> byThreads(strategy))));
    return tests;
  }

  @Test
  void namesAreNoneOfThePlugins() {
    assertTrue(Collections.disjoint(SMALL.keySet(), Strategies.names()));
    assertEquals(SMALL.size() + Strategies.names().size(), Rivals.names().size());
  }

  private static Deal deal(int rows) {
    return Deal.builder(rows, Collections.nCopies(WORKERS, WorkerSpec.host()))
        .starters(STARTERS)
        .targetNanos(20_000)
        .build();
  }

  private static int rows(int job) {
    return job % 7 == 0 ? 500 : job % 20;
  }

  /** One thread plays the workers, who claim, commit, hand back and leave in a random order. */
  private static void inTurns(String what, Strategy strategy, int job) {
    Random random = new Random(job);
    Work work = new Work(strategy, rows(job), what);
    for (int worker = STARTERS; worker < WORKERS; worker++) {
      work.dealer.join(worker);
    }
    Claim[] claims = new Claim[WORKERS];
    int handBacks = 50;
    while (work.dealer.rowsCommitted() < rows(job)) {
      int worker = random.nextInt(WORKERS);
      if (claims[worker] == null) {
        Claim claim = new Claim();
        if (work.dealer.claim(worker, 0, claim)) {
          claims[worker] = claim;
        } else {
          work.dealer.leave(worker);
          work.dealer.join(worker);
        }
      } else {
        handBacks -= work.end(worker, claims[worker], handBacks > 0 ? random : null);
        claims[worker] = null;
      }
      long inFlight = 0;
      for (Claim claim : claims) {
        inFlight += claim == null ? 0 : claim.rows();
      }
      assertEquals(
          rows(job), inFlight + work.dealer.rowsLeft() + work.dealer.rowsCommitted(), what);
    }
    work.check();
  }

  private static void byThreads(Strategy strategy) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    CyclicBarrier start = new CyclicBarrier(WORKERS);
    try {
      for (int job = 0; job < JOBS; job++) {
        Work work = new Work(strategy, rows(job), "job " + job);
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
          int worker = i;
          futures.add(
              threads.submit(
                  () -> {
                    start.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                    work.run(worker);
                    return null;
                  }));
        }
        for (Future<?> future : futures) {
          future.get(2 * TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
        work.check();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** One job, and how often each of its rows was published. */
  private static final class Work {
    final Dealer dealer;
    private final AtomicIntegerArray published;
    private final String what;

    Work(Strategy strategy, int rows, String what) {
      this.dealer = strategy.deal(deal(rows));
      this.published = new AtomicIntegerArray(rows);
      this.what = what;
    }

    void run(int worker) {
      Random random = new Random(31L * worker + published.length());
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
      int handBacks = 6;
      if (worker >= STARTERS) {
        dealer.join(worker);
      }
      Claim claim = new Claim();
      while (dealer.rowsCommitted() < published.length()) {
        assertTrue(System.nanoTime() < deadline, () -> what + ", left: " + dealer.rowsLeft());
        if (dealer.claim(worker, 0, claim)) {
          handBacks -= end(worker, claim, handBacks > 0 ? random : null);
        } else {
          dealer.leave(worker);
          Thread.onSpinWait();
          dealer.join(worker);
        }
      }
      dealer.leave(worker);
    }

    /**
     * Ends a block: all of it, or some, if there is a source of chance.
     *
     * @return 1 if rows were handed back
     */
    int end(int worker, Claim claim, Random random) {
      int choice = random == null ? 2 : random.nextInt(8);
      if (choice == 0) {
        dealer.handBack(worker, claim, 0);
        return 1;
      }
      boolean part = choice == 1 && claim.rows() > 1;
      long reached =
          part ? claim.from() + 1 + random.nextInt((int) claim.rows() - 1) : claim.until();
      dealer.commit(worker, claim, reached, 1000, 0);
      for (int range = 0; range < claim.wonRanges(); range++) {
        for (long row = claim.wonFrom(range); row < claim.wonUntil(range); row++) {
          published.incrementAndGet((int) row);
        }
      }
      return part ? 1 : 0;
    }

    void check() {
      for (int row = 0; row < published.length(); row++) {
        assertEquals(1, published.get(row), what + ", row " + row);
      }
      assertEquals(0, dealer.rowsLeft(), what);
      assertEquals(0, dealer.costLeft(), 1e-6, what);
      for (int worker = 0; worker < WORKERS; worker++) {
        assertFalse(dealer.claim(worker, 0, new Claim()), what);
      }
    }
  }
}
