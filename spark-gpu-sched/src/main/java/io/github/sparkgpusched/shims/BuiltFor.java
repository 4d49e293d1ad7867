package io.github.sparkgpusched.shims;

/** The Spark that this jar was compiled for; the jar for Spark 3.5 has another such class. */
final class BuiltFor {
  static final String SPARK = "4";

  private BuiltFor() {}
}
