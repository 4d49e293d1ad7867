package io.github.sparkgpusched.testing;

import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/** Lincheck's model checker on a busy machine. */
public final class ModelCheck {
  /** Lincheck's words where an order takes longer than 30 s, and where it finds a deadlock. */
  private static final String HUNG = "has hung";

  private static final int TRIES = 8;

  private ModelCheck() {}

  /**
   * Runs a block in so many orders of its threads' steps. Who has no core for 30 s has not hung,
   * and Lincheck's bound cannot be set: what is called hung is tried again. The same orders come
   * each time, so a deadlock is found each time.
   *
   * @throws LincheckAssertionError with the order in which the block failed
   */
  public static void run(int orders, Runnable block) {
    for (int attempt = 1; ; attempt++) {
      try {
        Lincheck.runConcurrentTest(orders, block);
        return;
      } catch (LincheckAssertionError e) {
        if (attempt == TRIES || !e.getMessage().contains(HUNG)) {
          throw e;
        }
      }
    }
  }
}
