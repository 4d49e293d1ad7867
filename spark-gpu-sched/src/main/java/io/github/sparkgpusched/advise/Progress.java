package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.ui.Format;
import java.io.PrintStream;
import java.util.Locale;

/** A bar on a terminal, of how much has been read. Nothing where there is no terminal. */
final class Progress {
  private static final int WIDTH = 30;
  private static final long EACH_NANOS = 200_000_000;

  private final PrintStream out;
  private final boolean shown;
  private final long bytes;
  private long done;
  private long shownAt;
  private boolean any;

  Progress(PrintStream out, boolean shown, long bytes) {
    this.out = out;
    this.shown = shown;
    this.bytes = bytes;
  }

  void log(String name, long read, long nowNanos) {
    if (!shown || (any && nowNanos - shownAt < EACH_NANOS)) {
      return;
    }
    any = true;
    shownAt = nowNanos;
    double part = Math.min(1, (done + read) / (double) Math.max(1, bytes));
    int full = (int) (part * WIDTH);
    String bar = "#".repeat(full) + ".".repeat(WIDTH - full);
    out.printf(
        Locale.ROOT,
        "\r[%s] %3d%% of %s  %.40s\u001b[K",
        bar,
        (int) (100 * part),
        Format.bytes(bytes),
        name);
    out.flush();
  }

  void logDone(long logBytes) {
    done += logBytes;
  }

  void end() {
    if (any) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
