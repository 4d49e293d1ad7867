package io.github.sparkgpusched.advise.replay;

import java.util.ArrayList;
import java.util.List;

/** An executor at work. */
final class Node {
  final ReplayExecutor executor;
  final List<Run> runs = new ArrayList<>();

  /** False before it joins and after it has left; a task that it has then goes on. */
  boolean open;

  /** Events of an older state are void. */
  int version;

  /** Cores of others that it has. */
  double borrowed;

  /** Since when it wants cores of others, or has some idle; NaN while it does not. */
  double wantsSince = Double.NaN;

  double idleSince;
  double wantedLast = Double.NEGATIVE_INFINITY;

  Node(ReplayExecutor executor) {
    this.executor = executor;
  }

  int free() {
    return open ? executor.cores() - runs.size() : 0;
  }

  void add(Run run, double now) {
    run.since = now;
    runs.add(run);
    changed(now);
  }

  /** What its tasks are divided among is another: their speeds change. */
  void changed(double now) {
    int sharing = 0;
    int travelling = 0;
    for (Run run : runs) {
      sharing += run.shares ? 1 : 0;
      travelling += run.travels ? 1 : 0;
    }
    double own = Math.max(0, executor.cores() - runs.size());
    for (Run run : runs) {
      double helpers = run.shares ? Costs.HELPER * Math.max(0, own) / sharing : 0;
      if (run.travels) {
        helpers += Costs.BORROWED * borrowed / travelling;
      }
      run.helpedBy(helpers, now);
    }
    if (travelling > 0) {
      wantedLast = now;
      wantsSince = Double.isNaN(wantsSince) ? now : wantsSince;
    } else {
      wantsSince = Double.NaN;
      borrowed = 0;
    }
    boolean idle = free() > 0 && sharing == 0;
    idleSince = !idle ? Double.NaN : Double.isNaN(idleSince) ? now : idleSince;
    version++;
  }

  /** How many cores of others it could use now. */
  double wants(double now) {
    if (Double.isNaN(wantsSince) || now < wantsSince + Costs.WANTED_SECONDS - 1e-9) {
      return 0;
    }
    double cores = 0;
    for (Run run : runs) {
      if (run.travels) {
        cores += Math.min((double) run.task.rows(), run.batchSeconds() / Costs.TRAVEL_CORE_SECONDS);
      }
    }
    return Math.min(Costs.MOST_BORROWED, cores);
  }

  /** How many cores it could lend now. */
  double lends(double now) {
    boolean quiet =
        now >= idleSince + Costs.IDLE_SECONDS - 1e-9
            && now >= wantedLast + Costs.QUIET_SECONDS - 1e-9;
    return quiet ? free() : 0;
  }

  double nextEnd() {
    double end = Double.POSITIVE_INFINITY;
    for (Run run : runs) {
      end = Math.min(end, run.endsAt());
    }
    return end;
  }

  double busy() {
    double cores = 0;
    for (Run run : runs) {
      cores += run.cores;
    }
    return cores;
  }
}
