package io.github.sparkgpusched.columnar;

/**
 * The columns of one call in a batch. The task thread begins a batch; during a job any thread
 * reads.
 *
 * <p>A row is skipped, and its result stays null, if the call's guard is not true there (the call
 * stands in a branch that is not taken), or if an argument is null and the UDF does not take nulls.
 */
public final class CallColumns {
  private final BatchColumn[] arguments;
  private final BatchColumn guard;
  private final BatchColumn result;
  private final boolean takesNulls;
  private final ArgumentColumns view;
  private boolean argumentNulls;

  /**
   * @param arguments one column an argument
   * @param guard a column of booleans, or null if every row is computed
   * @param result receives the results
   * @param takesNulls true if rows with null arguments are computed too
   */
  public CallColumns(
      BatchColumn[] arguments, BatchColumn guard, BatchColumn result, boolean takesNulls) {
    this.arguments = arguments;
    this.guard = guard;
    this.result = result;
    this.takesNulls = takesNulls;
    this.view = new ArgumentColumns(arguments);
  }

  /** Begins a batch whose argument and guard columns are filled. Task thread only, between jobs. */
  public void begin(int rows) {
    view.setRows(rows);
    result.setAllNull(rows);
    argumentNulls = false;
    if (!takesNulls) {
      for (BatchColumn argument : arguments) {
        argumentNulls |= argument.mayHaveNulls();
      }
    }
  }

  public ArgumentColumns arguments() {
    return view;
  }

  /** Number of arguments. */
  public int count() {
    return arguments.length;
  }

  public BatchColumn argument(int i) {
    return arguments[i];
  }

  /** All argument columns, in order; not to be changed. */
  public BatchColumn[] all() {
    return arguments;
  }

  /** A column of booleans, or null if every row is computed. */
  public BatchColumn guard() {
    return guard;
  }

  public BatchColumn result() {
    return result;
  }

  /** False if every row is to be computed. */
  public boolean maySkip() {
    return argumentNulls || guard != null;
  }

  /** True if a row is not to be computed. */
  public boolean skips(int row) {
    if (guard != null && (guard.isNull(row) || !guard.getBoolean(row))) {
      return true;
    }
    if (argumentNulls) {
      for (BatchColumn argument : arguments) {
        if (argument.mayHaveNulls() && argument.isNull(row)) {
          return true;
        }
      }
    }
    return false;
  }
}
