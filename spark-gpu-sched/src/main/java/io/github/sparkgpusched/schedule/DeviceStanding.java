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

  private final LaunchDevice device;
  private final LoadEntry load;
  private final Flights flights;

  /** Parts of running jobs that were placed here. Up and down by submitters. */
  private final AtomicInteger placedParts = new AtomicInteger();

  /** Written by the owner. */
  private volatile DeviceFacts facts = DeviceFacts.UNKNOWN;

  /** When they are asked for again. Owner's thread only, but for the constructor. */
  private long nextFactsNanos = System.nanoTime();

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
    facts = known;
    nextFactsNanos = now + FACTS_NANOS;
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
