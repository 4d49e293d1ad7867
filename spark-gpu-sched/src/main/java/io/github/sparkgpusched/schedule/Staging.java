package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Claim;
import java.util.ArrayList;
import java.util.List;

/**
 * How a launch device's blocks get onto it: staged from their jobs' memory, then started; with as
 * many rows as there is memory for. Blocks of other jobs that wait and can be computed by the same
 * kernels go in the same launch, until it fills the device; nobody waits for more of them. Owner's
 * thread only.
 */
final class Staging {

  /** After a launch of several blocks that found no room so many are of one block. */
  private static final int ALONE_LAUNCHES = 64;

  private final LaunchDevice device;
  private final Flights flights;
  private final DeviceParts parts;
  private final Landing landing;
  private final DeviceLife life;

  private int aloneFor;

  Staging(
      LaunchDevice device, Flights flights, DeviceParts parts, Landing landing, DeviceLife life) {
    this.device = device;
    this.flights = flights;
    this.parts = parts;
    this.landing = landing;
    this.life = life;
  }

  /** A block that is staged up to a row. */
  private record Staged(Flights.Block block, Launch launch, long until) {}

  /**
   * Launches a block, or as many of its first rows as fit. If this throws, nothing of the block is
   * on the device, and it has not ended.
   *
   * @param others jobs whose blocks may go with it, who is to be served first at the front
   * @return false if its job is over
   * @throws DeviceMemoryException if not even one row fits
   */
  boolean launch(Flights.Block block, List<Job> others) throws Exception {
    DevicePart part = block.part;
    long mostBefore = part.mostRows;
    long rows = Math.min(block.claim.rows(), part.mostRows);
    while (true) {
      List<Staged> staged = new ArrayList<>();
      try {
        Staged first = stage(block, null, rows);
        if (first == null) {
          return false;
        }
        staged.add(first);
        if (aloneFor > 0) {
          aloneFor--;
        } else {
          addOthers(staged, others);
        }
        first.launch.start();
        launched(staged);
        return true;
      } catch (DeviceFailedException e) {
        // All of these are grounded with the device: any may be what has ended it.
        staged.forEach(one -> Landing.closeQuietly(device, one.launch));
        staged.clear();
        throw e;
      } catch (DeviceMemoryException e) {
        if (staged.size() > 1) {
          aloneFor = ALONE_LAUNCHES;
        } else if (rows == 1) {
          part.mostRows = mostBefore; // others hold the memory, and may give it back
          throw e;
        } else {
          rows = (rows + 1) / 2;
          part.mostRows = rows;
        }
      } finally {
        giveUp(block, staged);
      }
    }
  }

  /** They are on the device. */
  private void launched(List<Staged> staged) {
    for (Staged one : staged) {
      if (!flights.launched(one.block, one.launch, one.until, System.nanoTime())) {
        Landing.closeQuietly(device, one.launch); // the device was given up while it was stuck
      }
    }
    staged.clear();
  }

  /** They are not. What was to go beside the first can be claimed again. */
  private void giveUp(Flights.Block first, List<Staged> staged) {
    for (Staged one : staged) {
      Landing.closeQuietly(device, one.launch);
      if (one.block != first) {
        landing.endUnpublished(one.block, true);
      }
    }
  }

  /** Claims and stages what goes with a block that is staged. */
  private void addOthers(List<Staged> staged, List<Job> others) throws DeviceFailedException {
    Staged first = staged.get(0);
    Object kernels = first.launch.roomRows() > 0 ? first.block.part.kernels(device) : null;
    if (kernels == null) {
      return;
    }
    for (Job job : others) {
      DevicePart other = parts.claimable(job);
      if (other != null
          && kernels.equals(other.kernels(device))
          && fits(job.dealer.rowsLeft(), first.launch)) {
        Flights.Block block = flights.claim(other, new Claim(), first.block, System.nanoTime());
        if (block != null) {
          addOther(first.launch, block, staged);
        }
      }
    }
  }

  /**
   * What a device would claim of a job may be all that is left. More than finds room is not claimed
   * in vain: a dealer would have to deal it anew. Where nothing is left, it may be the rows of
   * another device's block, to be computed twice: that is for a launch of its own.
   */
  static boolean fits(long rowsLeft, Launch launch) {
    return rowsLeft > 0 && rowsLeft <= launch.roomRows();
  }

  /** What is wrong with the other one is nothing of the first's. */
  private void addOther(Launch first, Flights.Block block, List<Staged> staged)
      throws DeviceFailedException {
    boolean added = false;
    try {
      long rows = Math.min(block.claim.rows(), block.part.mostRows);
      Staged other = stage(block, first, rows);
      added = other != null && staged.add(other);
    } catch (DeviceMemoryException e) {
      // In a launch of its own it may find room.
    } catch (DeviceFailedException e) {
      throw e;
    } catch (Throwable e) {
      life.blockFailed(block, e);
    }
    if (!added) {
      landing.endUnpublished(block, true);
    }
  }

  /** Null if the job is over, or the block does not go beside the one that is first. */
  private Staged stage(Flights.Block block, Launch first, long rows) throws Exception {
    DevicePart part = block.part;
    if (part.launcher == null && !part.job.isStopped()) {
      // Outside of the gate: it may load kernels, which waits behind one that never ends.
      part.launcher = part.job.spec.body().launcher(device);
    }
    while (true) {
      try {
        return stageInside(block, first, rows);
      } catch (NoRoomYetException e) {
        e.makeRoom(); // outside of the gate, too
      }
    }
  }

  /** As long as this takes, the job cannot end. */
  private Staged stageInside(Flights.Block block, Launch first, long rows) throws Exception {
    DevicePart part = block.part;
    if (!part.job.gate.enter()) {
      return null;
    }
    try {
      if (part.job.isStopped()) {
        return null;
      }
      long from = block.claim.from();
      long until = from + rows;
      Launch launch =
          first == null
              ? part.launcher.stage(from, until)
              : part.launcher.stageBeside(first, from, until);
      return launch == null ? null : new Staged(block, launch, until);
    } finally {
      part.job.gate.leave();
    }
  }
}
