package io.github.sparkgpusched.bench.cpu;

import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** A parallel stream over the row numbers, in a pool that has as many workers as the others. */
record StreamWay(String name, ForkJoinPool pool) implements Way {
  @Override
  public long run(Kernel kernel) {
    return pool.submit(
            () -> IntStream.range(0, kernel.rows()).parallel().mapToLong(kernel::row).sum())
        .join();
  }
}
