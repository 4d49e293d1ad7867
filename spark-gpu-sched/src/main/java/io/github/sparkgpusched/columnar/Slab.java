package io.github.sparkgpusched.columnar;

/**
 * A piece of a {@link SlabPool}. Whoever took it holds it; what it is lent to holds it, too, until
 * that is given back: so nobody else gets memory that a device may still read. Thread-safe.
 */
public final class Slab {
  final SlabPool.Region region;
  private final long address;
  private final long bytes;

  /** The taker and those that it is lent to; from 1, to 0 once. Under the pool's lock. */
  int holders = 1;

  Slab(SlabPool.Region region, long address, long bytes) {
    this.region = region;
    this.address = address;
    this.bytes = bytes;
  }

  public long address() {
    return address;
  }

  public long bytes() {
    return bytes;
  }

  /** Where it ends. */
  public long end() {
    return address + bytes;
  }

  /** Whether the pool's device can copy from and to it by itself. The device's thread. */
  public boolean isOf(SlabPool pool) {
    return region.isOf(pool);
  }

  /** Whether what lies between the two is the pool's, too. */
  public boolean isBeside(Slab other) {
    return region == other.region;
  }

  /** One more holds it. For who knows that it is held. */
  public void lend() {
    region.pool().lend(this);
  }

  /** One less holds it, or nobody: then others get it. */
  public void giveBack() {
    region.pool().giveBack(this);
  }

  /** Whether others hold it beside its taker. */
  boolean isLent() {
    return region.pool().isLent(this);
  }
}
