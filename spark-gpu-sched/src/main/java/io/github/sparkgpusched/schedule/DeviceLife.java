package io.github.sparkgpusched.schedule;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of one launch device's blocks and jobs when it fails, is given up or is closed. Used
 * by the device's owner thread, and by any thread where that is said.
 *
 * <p><b>When a device fails.</b> It throws {@link DeviceFailedException}: its blocks are handed
 * back and it is asked to recover, a few times within some minutes ({@link DeviceHealth}). Jobs
 * that need it wait meanwhile; but it leaves the one whose block it was at. Where it was at a
 * launch of several jobs, their blocks go alone from then on.
 *
 * <p><b>When a device is given up.</b> It does not recover; its oldest block takes longer than
 * {@link LaunchPolicy#blockTimeoutNanos}; or its owner has been inside one turn for that long,
 * which submitters see who wait for it ({@link #watch}), while the owner may be stuck inside a call
 * that does not return. Should it return, the owner finds its blocks handed back, publishes nothing
 * and ends. The device is not used again.
 */
final class DeviceLife {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLife.class);

  private final DeviceOwner owner;
  private final LaunchDevice device;
  private final Helpers helpers;
  private final DeviceHealth health;
  private final Flights flights;
  private final DeviceParts parts;
  private final Landing landing;

  DeviceLife(
      DeviceOwner owner,
      Helpers helpers,
      DeviceHealth health,
      Flights flights,
      DeviceParts parts,
      Landing landing) {
    this.owner = owner;
    this.device = owner.device();
    this.helpers = helpers;
    this.health = health;
    this.flights = flights;
    this.parts = parts;
    this.landing = landing;
  }

  /** Gives the device up if its owner has not come back from a call for too long. Any thread. */
  void watch(long now) {
    long stuck = health.stuckNanos(now);
    if (stuck > 0 && !health.isLost()) {
      giveUp(
          "has not answered for "
              + TimeUnit.NANOSECONDS.toMillis(stuck)
              + " ms (spark.gpusched.device.timeoutMillis)",
          null);
    }
  }

  /** The device is recovered, or given up if it cannot be. */
  void failed(DeviceFailedException e) {
    if (!health.beginRecovery(System.nanoTime())) {
      giveUp(e.getMessage(), e);
      return;
    }
    LOG.warn("{} failed and is opened anew; its rows run elsewhere", device.name(), e);
    List<DevicePart> suspects = flights.oldestLaunch();
    flights.ground(System.nanoTime(), e.getMessage());
    closeGrounded();
    parts.closeLaunchers();
    parts.rowsHandedBack(helpers);
    try {
      if (!device.recover()) {
        giveUp(e.getMessage(), e);
      } else if (health.endRecovery()) {
        // The next block might end the device again, and others' with it. The oldest launch is the
        // suspect, whatever call has failed: what a kernel does shows in the call that comes next.
        if (suspects.size() == 1) {
          parts.leave(
              suspects.get(0), device.name() + " failed at a block of it: " + e.getMessage());
        } else {
          suspects.forEach(part -> part.goesAlone = true); // then it is seen which it was
        }
        flights.resume();
        LOG.info("{} has recovered", device.name());
      }
    } catch (DeviceFailedException | RuntimeException | LinkageError again) {
      e.addSuppressed(again);
      giveUp(e.getMessage() + ", and could not be opened anew: " + again.getMessage(), e);
    }
  }

  /**
   * The device is not used any more: its blocks are handed back, and it leaves all jobs. Any
   * thread.
   *
   * @param reason to be put behind the device's name
   */
  void giveUp(String reason, Throwable cause) {
    String why = "was given up: " + (cause == null ? "it " : "") + reason;
    if (!health.lose(why)) {
      return;
    }
    flights.ground(System.nanoTime(), why);
    LOG.error("{} {}; its rows run elsewhere", device.name(), why, cause);
    for (Job job : helpers.jobs().all()) {
      leave(job);
    }
    owner.wake();
  }

  /** A lost device leaves a job; may be called twice. Any thread. */
  void leave(Job job) {
    int worker = job.workers.indexOf(owner);
    if (worker >= 0) {
      flights.leave(job.dealer, worker);
      job.lose(owner, device.name() + " " + health.whyLost());
      helpers.rowsHandedBack(job);
    }
  }

  /**
   * A block cannot be computed, and the device is well: it leaves the job that it refuses; any
   * other error is the job's.
   */
  void blockFailed(Flights.Block block, Throwable e) {
    boolean refused = e instanceof JobRefusedException;
    landing.endUnpublished(block, refused);
    if (refused) {
      parts.leave(block.part, e.getMessage());
    } else {
      helpers.stop(block.part.job, e);
    }
  }

  private void closeGrounded() {
    for (Flights.Block block : flights.takeGrounded()) {
      landing.closeLaunch(block);
    }
  }

  /** The owner's last deed. Jobs that still run have been stopped, or the device was given up. */
  void end() {
    health.close();
    flights.endAll(System.nanoTime());
    closeGrounded();
    parts.closeLaunchers();
    try {
      device.close();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("{} failed as it was closed", device.name(), e);
    }
  }
}
