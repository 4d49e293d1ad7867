package io.github.sparkgpusched.bench.cpu;

/** A way to run a kernel's rows in parallel. */
interface Way {
  /** As tables call it. */
  String name();

  /** Sum of all rows. */
  long run(Kernel kernel);
}
