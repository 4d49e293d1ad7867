package io.github.sparkgpusched.device.cuda;

import java.util.Locale;

/** What goes wrong with a device in a campaign, by the name that the double has for it. */
enum DeviceFault {
  /** An allocation finds no memory. */
  OOM,
  /** A module cannot be loaded. */
  LOAD,
  /** A kernel cannot be launched: the error is of that kernel alone. */
  LAUNCH,
  /** A kernel ends the context. */
  STICKY,
  /** The GPU is lost with a kernel. */
  LOST,
  /** A kernel ends without having computed its rows, and says so in its counts. */
  SHORT,
  /** A kernel never ends. The last: what it leaves stays in the process. */
  HANG;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many places for it there were in a run. */
  long places(DoubleFaults.Counted run) {
    return switch (this) {
      case OOM -> run.allocations();
      case LOAD -> run.loads();
      default -> run.launches();
    };
  }
}
