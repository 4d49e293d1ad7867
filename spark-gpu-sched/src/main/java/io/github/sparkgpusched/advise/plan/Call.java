package io.github.sparkgpusched.advise.plan;

/**
 * A call of a user's function in a plan.
 *
 * @param function its name; {@code UDF} if it has none
 * @param operator where it stands
 * @param whyNot why the plugin could not batch it; null if it could, were it one of its functions
 */
public record Call(String function, Kind kind, String operator, String whyNot) {
  /** What kind of function it is. A log does not tell Java from Scala. */
  public enum Kind {
    /** Registered by name, in Java or Scala; or one that Spark does not know. */
    NAMED("Java or Scala UDF"),
    /** Made by {@code udf(…)}, and never registered. */
    UNNAMED("Java or Scala UDF without a name"),
    HIVE("Hive UDF"),
    PYTHON("Python UDF"),
    /** Its rows travel as Arrow: a pandas UDF, or a Python UDF with Arrow switched on. */
    PANDAS("pandas or Arrow-optimized Python UDF"),
    /** {@code map}, {@code flatMap} and the like over objects or data frames. */
    WHOLE("function of whole rows or partitions"),
    AGGREGATE("aggregate function");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }

    /** Whether Python's workers run it. */
    public boolean isPython() {
      return this == PYTHON || this == PANDAS;
    }
  }

  /** Whether the plugin can batch it, once the function is one of its own. */
  public boolean mayBatch() {
    return whyNot == null;
  }
}
