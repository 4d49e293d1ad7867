package io.github.sparkgpusched.it.cluster.app;

import java.util.Locale;

/** What happens to an application whose executors share rows. */
public enum Fault {
  /** The executor that computes rows of another's task gets SIGKILL. */
  LENDER_KILLED,
  /** The executor whose task the rows are gets SIGKILL. */
  OWNER_KILLED,
  /** The lender stands still, and goes on: for a moment, or for longer than it is waited for. */
  LENDER_STOPPED,
  /** The driver stands still, and goes on: it answers nobody for up to 3 seconds. */
  DRIVER_STOPPED,
  /** The connection to the lender ends, in an orderly way or not. */
  CONNECTION_CUT,
  /** The connection to the lender becomes slow, or passes nothing for a while. */
  CONNECTION_SLOW;

  /** As in arguments and tables. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Fault of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Whether it needs connections that go through a {@link Proxy}. */
  public boolean isOfConnections() {
    return this == CONNECTION_CUT || this == CONNECTION_SLOW;
  }
}
