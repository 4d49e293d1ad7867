package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.ResultWriter;

/**
 * Calls a UDF row by row. Not thread-safe. Its subclasses are generated, one for each call; see
 * {@link RowLoopCompiler}.
 */
public abstract class RowLoop {
  /** The row that is being computed; after an exception, the row that failed. */
  protected int row;

  /** Computes rows {@code [from, until)}, all of which are to be computed. */
  public abstract void run(BatchColumn[] arguments, ResultWriter out, int from, int until)
      throws Exception;

  /** The UDF returned something else than it is registered with. */
  public static final class WrongResult extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String type;

    public WrongResult(Object result, RuntimeException cause) {
      super(cause);
      type = result.getClass().getName();
    }

    String type() {
      return type;
    }
  }
}
