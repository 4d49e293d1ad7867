package io.github.sparkgpusched.schedule;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs that one launch device has looked at. Used by the device's owner thread. */
final class DeviceParts {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceParts.class);

  private final DeviceOwner owner;
  private final Flights flights;
  private final Map<Job, DevicePart> parts = new HashMap<>();

  DeviceParts(DeviceOwner owner, Flights flights) {
    this.owner = owner;
    this.flights = flights;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The device's part in a job. */
  DevicePart of(Job job, int worker) {
    return parts.computeIfAbsent(
        job, j -> new DevicePart(j, j.dealer, worker, j.workers.isStarter(worker)));
  }

  /** The device's part in a job of which it may claim rows; null if it is over or not for it. */
  DevicePart claimable(Job job) {
    int worker = job.workers.indexOf(owner);
    if (worker < 0 || job.isStopped() || job.gate.isEnded()) {
      return null;
    }
    DevicePart part = of(job, worker);
    return part.left ? null : part;
  }

  /**
   * The device claims no more rows of a job, and computes others. It may have left: each of the
   * blocks that it had in flight may say that it cannot compute them.
   */
  void leave(DevicePart part, String reason) {
    if (part.left) {
      return;
    }
    if (owner.device().isBorrowed()) { // there are many, and who borrows them says it once
      LOG.debug("{} leaves a job: {}", owner.device().name(), reason);
    } else {
      LOG.warn("{} leaves a job: {}", owner.device().name(), reason);
    }
    part.left = true;
    part.mustLeaveDealer = true;
    leaveDealer(part);
    part.job.lose(owner, reason);
  }

  /** The device is absent: until it is back, nobody is to count on it. */
  void stepBack() {
    for (DevicePart part : parts.values()) {
      if (part.joined && !part.left && !flights.hasAnyOf(part)) {
        part.joined = false;
        flights.leave(part.dealer, part.worker);
      }
    }
  }

  private void leaveDealer(DevicePart part) {
    if (part.mustLeaveDealer && !flights.hasAnyOf(part)) {
      part.mustLeaveDealer = false;
      flights.leave(part.dealer, part.worker);
    }
  }

  /** Forgets the jobs that are over. */
  void dropEnded() {
    for (Iterator<DevicePart> all = parts.values().iterator(); all.hasNext(); ) {
      DevicePart part = all.next();
      leaveDealer(part);
      if (part.job.gate.isEnded() && !flights.hasAnyOf(part)) {
        all.remove();
        closeLauncher(part);
      }
    }
  }

  /** Closes all launchers; those that are needed again are made anew. */
  void closeLaunchers() {
    parts.values().forEach(this::closeLauncher);
  }

  private void closeLauncher(DevicePart part) {
    Launcher launcher = part.launcher;
    part.launcher = null;
    Landing.closeQuietly(owner.device(), launcher);
  }

  /** Rows of the jobs were handed back. */
  void rowsHandedBack(Helpers helpers) {
    parts.keySet().forEach(helpers::rowsHandedBack);
  }
}
