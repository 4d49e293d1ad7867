package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

/**
 * A launch device for tests: each row takes a set time, and what goes wrong is scripted. It counts
 * what is staged, so that a block which is never given back is seen.
 */
final class FakeDevice implements LaunchDevice {
  /** What a launch may do. */
  enum Mishap {
    NONE,
    /** The launch never ends. */
    HANGS,
    /** The call that launches does not return until the test releases it. */
    STUCK,
    /** The call that asks whether the block is done says so once the test releases it. */
    STUCK_BUT_DONE,
    /** The device fails as it is asked whether the block is done. */
    FAILS,
    /** It is done once the test has said so. */
    WAITS,
    /** There is no room for more than one block as they are launched. */
    CROWDED,
    /** The device fails as the block is launched. */
    FAILS_TO_LAUNCH,
    /** The device cannot compute this job, and lives. */
    REFUSES,
    /** The device finds as it computes that it cannot compute this job, and lives. */
    REFUSES_LATE,
    /** The function throws; the device lives. */
    THROWS,
    /** The device comes to the first half of the rows, rounded down. */
    HALF,
    /** The device comes to no row. */
    NOTHING
  }

  /** Decides about each launch of a device, by its number from 0. */
  @FunctionalInterface
  interface Script {
    Mishap mishap(int launch, long from, long until);
  }

  private final String name;
  private volatile WorkerSpec spec;
  private final long nanosPerRow;
  private final Script script;

  /** Rows that the device has memory for, over all blocks. */
  long memoryRows = Long.MAX_VALUE;

  /** Rows that fill it in one launch; 0 if blocks go alone. */
  volatile long waveRows;

  /** Told of each launch, before it is launched: of how many blocks it is. */
  volatile IntConsumer asItLaunches = blocks -> {};

  /** What the device says about itself. */
  volatile DeviceFacts facts = DeviceFacts.UNKNOWN;

  /** What it does before it says so. */
  volatile Runnable asItTells = () -> {};

  /** What the device says that copies cost; nothing here takes that time. */
  volatile double transferNanosPerByte;

  /** Whether it is there. */
  volatile boolean present = true;

  /** Whether another executor lends it. */
  volatile boolean borrowed;

  /** Jobs that take less are not for it; in nanoseconds. */
  volatile double leastJobNanos;

  /** How often it was asked whether a job is worth it. Of use to tests with one task. */
  private int askedForWorth;

  /** Wakes its owner, where the device says when to look. */
  volatile Runnable wake;

  final boolean wakes;

  /** Rows that the device cannot compute. */
  volatile LongPredicate cannot = row -> false;

  final CountDownLatch release = new CountDownLatch(1);
  final CountDownLatch mayEnd = new CountDownLatch(1);
  final CountDownLatch stuck = new CountDownLatch(1);
  final AtomicInteger launches = new AtomicInteger();
  final AtomicLong stagedRows = new AtomicLong();
  final AtomicInteger openLaunchers = new AtomicInteger();
  final AtomicInteger mostInFlight = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  volatile boolean closed;

  /** How often the device wants to be asked whether it rests. */
  final AtomicInteger rests = new AtomicInteger();

  /** What the device finds that launches cost as it is opened, or opened anew; 0 for no news. */
  volatile long foundLaunchNanos;

  volatile boolean restFails;

  /** What it does as it comes to rest, once. */
  final AtomicReference<Runnable> asItRests = new AtomicReference<>();

  /** Whether it recovers from a failure. */
  volatile boolean recovers;

  /** Why it does not, if that is an error. */
  volatile DeviceFailedException recoveryFails;

  final AtomicInteger recoveries = new AtomicInteger();

  /** Counted down as it is opened; the test holds it there. */
  final CountDownLatch opening = new CountDownLatch(1);

  volatile CountDownLatch mayOpen = new CountDownLatch(0);

  /** When the device will have computed all that was launched. Owner's thread. */
  private long busyUntilNanos;

  FakeDevice(String name, int depth, long launchNanos, long nanosPerRow, Script script) {
    this(name, depth, launchNanos, nanosPerRow, script, false);
  }

  /**
   * @param wakes whether it says when to look, by {@link #wake}
   */
  FakeDevice(
      String name, int depth, long launchNanos, long nanosPerRow, Script script, boolean wakes) {
    this.wakes = wakes;
    this.name = name;
    this.spec = WorkerSpec.staged(1, launchNanos, 0, depth);
    this.nanosPerRow = nanosPerRow;
    this.script = script;
  }

  FakeDevice(String name, int depth) {
    this(name, depth, 20_000, 50, (launch, from, until) -> Mishap.NONE);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public WorkerSpec spec() {
    return spec;
  }

  @Override
  public double transferNanosPerByte() {
    return transferNanosPerByte;
  }

  @Override
  public boolean isPresent() {
    return present;
  }

  @Override
  public boolean isBorrowed() {
    return borrowed;
  }

  int askedForWorth() {
    return askedForWorth;
  }

  @Override
  public boolean isWorth(double jobNanos, long rows) {
    askedForWorth++;
    return jobNanos >= leastJobNanos;
  }

  @Override
  public boolean wakesOwner(Runnable owner) {
    wake = owner;
    return wakes;
  }

  @Override
  public DeviceFacts facts() {
    asItTells.run();
    return facts;
  }

  @Override
  public boolean rest() throws DeviceFailedException {
    if (restFails) {
      throw new DeviceFailedException("failed as it came to rest", null);
    }
    Runnable once = asItRests.getAndSet(null);
    if (once != null) {
      once.run();
    }
    return rests.getAndUpdate(left -> Math.max(0, left - 1)) > 1;
  }

  @Override
  public void open() {
    opening.countDown();
    try {
      mayOpen.await();
    } catch (InterruptedException e) {
      throw new AssertionError("owners are not interrupted", e);
    }
    measure();
  }

  private void measure() {
    if (foundLaunchNanos > 0) {
      spec = spec.withLaunch(foundLaunchNanos);
    }
  }

  @Override
  public boolean recover() throws DeviceFailedException {
    if (stagedRows.get() + openLaunchers.get() > 0) {
      throw new AssertionError("asked to recover while blocks or launchers are open");
    }
    recoveries.incrementAndGet();
    busyUntilNanos = 0;
    if (recoveryFails != null) {
      throw recoveryFails;
    }
    measure();
    return recovers;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** A call into the device that does not return until the test releases it. */
  boolean awaitRelease() {
    stuck.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError("owners are not interrupted", e);
    }
    return true;
  }

  Launcher launcher(Rows rows) {
    openLaunchers.incrementAndGet();
    return new Launcher() {
      @Override
      public Launch stage(long from, long until) throws DeviceMemoryException {
        return stage(new Together(), from, until);
      }

      @Override
      public Launch stageBeside(Launch first, long from, long until) throws DeviceMemoryException {
        return stage(((Block) first).together, from, until);
      }

      private Block stage(Together together, long from, long until) throws DeviceMemoryException {
        if (stagedRows.get() + until - from > memoryRows) {
          throw new DeviceMemoryException(name + " has room for " + memoryRows, until - from);
        }
        stagedRows.addAndGet(until - from);
        return new Block(together, rows, from, until);
      }

      @Override
      public void close() {
        openLaunchers.decrementAndGet();
      }
    };
  }

  /** What the results of a job are written to. */
  interface Rows {
    void publish(long from, long until);
  }

  /** What the blocks of one launch have in common. */
  private static final class Together {
    private Mishap mishap;
    private long doneNanos;
    private long rows;
    private int blocks;
    private int open;
  }

  private final class Block implements Launch {
    private final Together together;
    private final Rows rows;
    private final long from;
    private final long until;

    Block(Together together, Rows rows, long from, long until) {
      this.together = together;
      this.rows = rows;
      this.from = from;
      this.until = until;
      together.rows += until - from;
      together.blocks++;
      together.open++;
    }

    @Override
    public long roomRows() {
      return waveRows - together.rows;
    }

    @Override
    public void start() throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
      asItLaunches.accept(together.blocks);
      Mishap mishap = script.mishap(launches.getAndIncrement(), from, until);
      if (mishap == Mishap.CROWDED && together.blocks > 1) {
        throw new DeviceMemoryException(name + " has room for one block", together.rows);
      }
      together.mishap = mishap;
      mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
      if (mishap == Mishap.STUCK) {
        awaitRelease();
      }
      if (mishap == Mishap.FAILS_TO_LAUNCH) {
        throw new DeviceFailedException("sticky error as it launched", null);
      }
      if (mishap == Mishap.REFUSES) {
        throw new JobRefusedException(name + " has no kernel for it");
      }
      busyUntilNanos =
          Math.max(busyUntilNanos, System.nanoTime() + spec.launchNanos())
              + together.rows * nanosPerRow;
      together.doneNanos = busyUntilNanos;
    }

    @Override
    public boolean isDone() throws Exception {
      return switch (together.mishap) {
        case HANGS -> false;
        case WAITS -> mayEnd.getCount() == 0;
        case STUCK_BUT_DONE -> awaitRelease();
        case FAILS -> throw new DeviceFailedException("sticky error as it computed", null);
        case REFUSES_LATE -> throw new JobRefusedException(name + " has no such function");
        case THROWS -> throw new IllegalArgumentException("row " + from);
        default -> System.nanoTime() >= together.doneNanos;
      };
    }

    @Override
    public long reached() {
      return switch (together.mishap) {
        case HALF -> from + (until - from) / 2;
        case NOTHING -> from;
        default -> Long.MAX_VALUE;
      };
    }

    @Override
    public long computeNanos() {
      return (Math.min(until, reached()) - from) * nanosPerRow;
    }

    @Override
    public Transfers transfers() {
      return new Transfers(8 * (until - from), until - from, 10);
    }

    @Override
    public void publish(long first, long end, RowsLeft left) {
      if (first < from || end > Math.min(until, reached())) {
        throw new AssertionError("not of this block");
      }
      long done = first;
      for (long row = first; row < end; row++) {
        if (cannot.test(row)) {
          rows.publish(done, row);
          left.add(row, row + 1);
          done = row + 1;
        }
      }
      rows.publish(done, end);
    }

    @Override
    public void close() {
      stagedRows.addAndGet(from - until);
      together.open--;
      if (together.mishap != null && together.open == 0) {
        inFlight.decrementAndGet();
      }
    }
  }
}
