package io.github.sparkgpusched.bench.simulate;

import java.util.Arrays;
import java.util.Random;

/**
 * The devices of a simulated node: what they really do, as against what the scheduler is told.
 * Times are in mean row costs on a device of speed 1. Immutable.
 */
final class Machine {
  /** How the devices differ. */
  enum Profile {
    EQUAL,
    /** One device is four times slower. */
    SLOW,
    /** Log-uniform in [1/4, 4]. */
    RANDOM,
    /** One device stops for a third of the job, and goes on. */
    STALL,
    /** One device stops for good at 0.4 of the job's time. */
    HANG;

    String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  final int devices;
  final double[] speed;
  final double[] launch;

  /**
   * What it takes a device to compute a block of few rows: those that it computes at once take as
   * long as one.
   */
  final double[] latency;

  final double transferPerRow;
  final int depth;

  /** The one device that stops, and from when until when; -1 where none does. */
  final int stopped;

  final double stopFrom;
  final double stopUntil;

  private Machine(
      double[] speed,
      double[] launch,
      double[] latency,
      double transferPerRow,
      int depth,
      int stopped,
      double stopFrom,
      double stopUntil) {
    this.devices = speed.length;
    this.speed = speed;
    this.launch = launch;
    this.latency = latency;
    this.transferPerRow = transferPerRow;
    this.depth = depth;
    this.stopped = stopped;
    this.stopFrom = stopFrom;
    this.stopUntil = stopUntil;
  }

  static Machine of(
      int devices,
      Profile profile,
      double launch,
      double transferPerRow,
      int depth,
      double total,
      long seed) {
    double[] speed = new double[devices];
    Arrays.fill(speed, 1);
    double[] launches = new double[devices];
    Arrays.fill(launches, launch);
    int odd = new Random(seed).nextInt(devices);
    if (profile == Profile.SLOW) {
      speed[odd] = 0.25;
    } else if (profile == Profile.RANDOM) {
      Random random = new Random(seed);
      for (int i = 0; i < devices; i++) {
        speed[i] = Math.pow(4, 2 * random.nextDouble() - 1);
      }
    }
    double time = launch + total / Arrays.stream(speed).sum();
    boolean stops = profile == Profile.STALL || profile == Profile.HANG;
    return new Machine(
        speed,
        launches,
        new double[devices],
        transferPerRow,
        depth,
        stops ? odd : -1,
        (profile == Profile.STALL ? 0.3 : 0.4) * time,
        profile == Profile.STALL ? 0.63 * time : Double.POSITIVE_INFINITY);
  }

  /** CPUs of speed 1 beside GPUs that are faster and cost more to start. */
  static Machine mixed(
      int cpus, double cpuLaunch, int gpus, double gpuSpeed, double gpuLaunch, int depth) {
    return saturating(cpus, cpuLaunch, gpus, gpuSpeed, gpuLaunch, 0, depth);
  }

  /**
   * The same, of GPUs that compute a block of fewer rows than {@code fullRows} mean ones no faster
   * than one of so many: with half of them they are at half their rate.
   */
  static Machine saturating(
      int cpus,
      double cpuLaunch,
      int gpus,
      double gpuSpeed,
      double gpuLaunch,
      double fullRows,
      int depth) {
    double[] speed = new double[cpus + gpus];
    double[] launch = new double[cpus + gpus];
    double[] latency = new double[cpus + gpus];
    for (int i = 0; i < cpus + gpus; i++) {
      boolean gpu = i >= cpus;
      speed[i] = gpu ? gpuSpeed : 1;
      launch[i] = gpu ? gpuLaunch : cpuLaunch;
      latency[i] = gpu ? fullRows / gpuSpeed : 0;
    }
    return new Machine(speed, launch, latency, 0, depth, -1, 0, 0);
  }

  /** Rows of mean cost with which a device is at its full rate; 1 if it is with any. */
  long fullRows(int device) {
    return Math.max(1, Math.round(latency[device] * speed[device]));
  }

  /** When a device that starts some cost at a time has computed it; infinite if never. */
  double end(int device, double start, double cost) {
    double length = Math.max(latency[device], cost / speed[device]);
    if (device != stopped || start + length <= stopFrom || start >= stopUntil) {
      return start + length;
    }
    double before = Math.max(0, stopFrom - start);
    return stopUntil + (length - before);
  }

  /**
   * No schedule is shorter: all devices compute from the end of their first launch on, without a
   * pause but the one they are made to take; and the largest row is computed by the fastest.
   */
  double lowerBound(Workload work) {
    double low = 0;
    double high = 1;
    while (capacity(high) < work.total()) {
      high *= 2;
    }
    for (int i = 0; i < 100; i++) {
      double mid = (low + high) / 2;
      if (capacity(mid) < work.total()) {
        low = mid;
      } else {
        high = mid;
      }
    }
    double row = Double.POSITIVE_INFINITY;
    for (int i = 0; i < devices; i++) {
      row = Math.min(row, end(i, launch[i], work.largest()));
    }
    return Math.max(high, row);
  }

  private double capacity(double time) {
    double sum = 0;
    for (int i = 0; i < devices; i++) {
      double from = launch[i];
      double length = Math.max(0, time - from);
      if (i == stopped) {
        length -= Math.max(0, Math.min(time, stopUntil) - Math.max(from, stopFrom));
      }
      sum += length < latency[i] ? 0 : Math.max(0, length) * speed[i];
    }
    return sum;
  }
}
