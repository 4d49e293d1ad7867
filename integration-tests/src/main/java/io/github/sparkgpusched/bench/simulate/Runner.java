package io.github.sparkgpusched.bench.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Simulates cases on all cores. Makes each workload once. */
final class Runner implements AutoCloseable {
  private static final long WORKLOAD_SEED = 1;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  /** By name and rows. */
  private final Map<String, Workload> workloads = new ConcurrentHashMap<>();

  Workload workload(Workload.Shape shape, int rows) {
    return workloads.computeIfAbsent(
        shape.name() + "/" + rows, key -> Workload.of(shape, rows, WORKLOAD_SEED));
  }

  /** Runs all cases; the results are in the order of the cases. */
  Results run(List<Case> cases) {
    List<Future<Result>> futures = new ArrayList<>();
    for (Case c : cases) {
      futures.add(threads.submit(() -> run(c)));
    }
    List<Result> results = new ArrayList<>();
    try {
      for (Future<Result> future : futures) {
        results.add(future.get());
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("a case could not be run", e);
    }
    return new Results(results);
  }

  /** On this thread. A strategy that fails is a result, too. */
  Result run(Case c) {
    try {
      return new Result(
          c,
          Simulation.run(
              c.contender().strategy(),
              workload(c.shape(), c.rows()),
              c.machine(),
              c.claimCosts(),
              c.options()),
          null);
    } catch (RuntimeException e) {
      return new Result(c, null, e.toString());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
