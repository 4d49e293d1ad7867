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

  /** Whether what lies between the two is the pool's, too. */
  public boolean isBeside(Slab other) {
    return region == other.region;
  }

  /** One more holds it. For who knows that it is held. */
  public void lend() {
    region.pool().lend(this);
  }

  /**
   * A device holds it, too, which copies from it by itself: until it {@linkplain #giveBackFrom
   * gives it back}, the memory stays page-locked. For who knows that it is held.
   *
   * @param device by its own pool; {@link SlabPool#NONE} copies nothing by itself
   * @return false if the device cannot, as the one that has page-locked the memory is about to end
   *     that
   */
  public boolean lendTo(SlabPool device) {
    return region.pool().lendTo(device, this);
  }

  /** A device that it was {@linkplain #lendTo lent to} copies from it no more. */
  public void giveBackFrom(SlabPool device) {
    region.pool().giveBackFrom(device, this);
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
