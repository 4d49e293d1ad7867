package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** An executor: its cores, who is at work on them, and its helpers ({@code Helpers}). */
final class Node {
  final int index;
  final Cluster cluster;
  final Setting setting;
  final Events events;
  final List<BatchJob> jobs = new ArrayList<>();
  final List<TaskRun> tasks = new ArrayList<>();
  final List<Owner> owners = new ArrayList<>();
  final Lending lending;
  final Serving serving;
  boolean dead;

  /** Cores that tasks, helpers and guests use, less tasks that wait. */
  private int busy;

  private int helpers;
  private boolean pending;

  Node(int index, Cluster cluster) {
    this.index = index;
    this.cluster = cluster;
    this.setting = cluster.setting;
    this.events = cluster.events;
    this.lending = new Lending(this);
    this.serving = new Serving(this);
    for (int i = 0; i < setting.borrowed; i++) {
      owners.add(new Owner(i, this));
    }
  }

  /** The jobs, those of tasks that have had least first. */
  List<BatchJob> jobsInOrder() {
    if (jobs.size() < 2) {
      return jobs;
    }
    List<BatchJob> all = new ArrayList<>(jobs);
    all.sort(Comparator.comparingDouble(job -> job.task.charged));
    return all;
  }

  String id() {
    return String.valueOf(index);
  }

  int idleCores() {
    return Math.max(0, setting.cores - busy);
  }

  void addBusy(int count) {
    busy += count;
  }

  boolean tryTake() {
    if (busy >= setting.cores) {
      return false;
    }
    busy++;
    return true;
  }

  boolean tryYield() {
    if (busy <= setting.cores) {
      return false;
    }
    busy--;
    return true;
  }

  /** Whether guests are to leave. */
  boolean wantsCores() {
    return busy > setting.cores || neediest() != null;
  }

  void taskStarted() {
    busy++;
    serving.taskStarted();
    lending.look();
  }

  void taskEnded() {
    busy--;
    wakeForAny();
    if (tasks.isEmpty()) {
      serving.tasksEnded();
    }
    serving.coreIsFree();
  }

  private BatchJob neediest() {
    BatchJob best = null;
    double most = 0;
    for (BatchJob job : jobs) {
      double need = job.need();
      if (need > most) {
        most = need;
        best = job;
      }
    }
    return best;
  }

  void wakeFor(BatchJob job) {
    if (busy < setting.cores) {
      if (!pending && job.need() > 0) {
        wake();
      }
    } else {
      lending.look();
    }
  }

  void wakeForAny() {
    if (busy < setting.cores) {
      if (!pending && neediest() != null) {
        wake();
      }
    } else {
      lending.look();
    }
  }

  private void wake() {
    pending = true;
    if (helpers < setting.cores - 1) {
      helpers++;
      events.after(setting.wakeNanos, this::help);
    }
  }

  private void help() {
    pending = false;
    if (dead) {
      return;
    }
    if (tryTake()) {
      BatchJob job = neediest();
      if (job != null) {
        HostThread helper = new HostThread(job, job.enter(), this::helpAgain);
        wakeForAny();
        helper.join();
        return;
      }
      busy--;
    }
    rest();
  }

  /** A helper has left a job. */
  private void helpAgain() {
    if (tryTake()) {
      BatchJob job = neediest();
      if (job != null) {
        HostThread helper = new HostThread(job, job.enter(), this::helpAgain);
        helper.join();
        return;
      }
      busy--;
    }
    rest();
  }

  private void rest() {
    if (pending) {
      events.after(setting.wakeNanos, this::help);
    } else {
      helpers--;
    }
  }
}
