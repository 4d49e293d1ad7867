package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.load.LoadEntry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What placement asks of one launch device: how much it has to do, and what it last said of itself.
 * Any thread reads it and counts parts; the device's owner asks the device.
 */
final class DeviceStanding {
  private static final long FACTS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** An owner that is busy for longer does not matter now. */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LaunchDevice device;
  private final LoadEntry load;
  private final Flights flights;

  /** Parts of running jobs that were placed here. Up and down by submitters. */
  private final AtomicInteger placedParts = new AtomicInteger();

  /** Written by the owner. */
  private volatile DeviceFacts facts = DeviceFacts.UNKNOWN;

  /** When they are asked for again. Written by the owner, and the constructor. */
  private volatile long nextFactsNanos = System.nanoTime();

  DeviceStanding(LaunchDevice device, LoadEntry load, Flights flights) {
    this.device = device;
    this.load = load;
    this.flights = flights;
  }

  /** Asks the device, if it was not asked lately. Owner's thread. */
  void refresh(long now) throws DeviceFailedException {
    if (now - nextFactsNanos < 0) {
      return;
    }
    DeviceFacts known = device.facts();
    synchronized (this) {
      facts = known;
      nextFactsNanos = now + FACTS_NANOS;
      notifyAll();
    }
    if (known.freeBytes() >= 0 && known.totalBytes() >= 0) {
      load.setMemory(known.freeBytes(), known.totalBytes() - known.freeBytes());
    }
  }

  /** What the device said may not be true any more. Owner's thread. */
  void outdate(long now) {
    nextFactsNanos = now;
  }

  DeviceFacts facts() {
    return facts;
  }

  /**
   * The facts by now. An owner that has nothing to do asks its device nothing, and what it last
   * said may be hours old. If it does not answer soon, or the thread is interrupted, that counts.
   *
   * @param wakeOwner has the owner {@link #refresh}
   */
  DeviceFacts freshFacts(Runnable wakeOwner) {
    long deadline = System.nanoTime() + MOST_WAIT_NANOS;
    if (System.nanoTime() - nextFactsNanos >= 0) {
      wakeOwner.run();
      awaitRefresh(deadline);
    }
    return facts;
  }

  private synchronized void awaitRefresh(long deadline) {
    try {
      long left = deadline - System.nanoTime();
      while (left > 0 && System.nanoTime() - nextFactsNanos >= 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void addParts(int count) {
    placedParts.addAndGet(count);
  }

  PlacementCandidate candidate() {
    DeviceFacts known = facts;
    return new PlacementCandidate(
        device.name(),
        placedParts.get() + flights.launches(),
        device.spec().depth(),
        known.freeBytes(),
        known.properties());
  }
}
