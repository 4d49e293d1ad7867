package io.github.sparkgpusched.shims;

/** The Spark that this jar was compiled for. */
final class BuiltFor {
  static final String SPARK = "3.5";

  private BuiltFor() {}
}
