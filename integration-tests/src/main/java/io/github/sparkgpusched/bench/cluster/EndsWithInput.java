package io.github.sparkgpusched.bench.cluster;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs another main class, and ends this JVM when its standard input ends. That is a pipe from the
 * bench or the test that started it, so no process outlives one that is killed.
 */
public final class EndsWithInput {
  private EndsWithInput() {}

  /**
   * Runs a main class.
   *
   * @param args the main class and its arguments
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    Thread guard = new Thread(EndsWithInput::endWithInput, "ends-with-input");
    guard.setDaemon(true);
    guard.start();
    Class.forName(args[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is sent; only the end counts.
      }
    } catch (IOException e) {
      // A broken pipe is an end, too.
    }
    Runtime.getRuntime().halt(143);
  }
}
