package io.github.sparkgpusched.api;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What goes on inside of a device whose parts share rows among themselves, as the blocks of threads
 * of a GPU do: the sums of their load table. Counts are of all blocks of rows that it has
 * published.
 *
 * @param parts parts that compute, or computed the last block of rows
 * @param queueDepth chunks of rows dealt to parts and not yet begun, when it was last looked at; 0
 *     where a block of rows is published only once its parts have ended
 * @param capacity ranges of rows that the queues of all parts hold
 * @param rows rows that parts computed
 * @param stealRequests times that a part looked for rows at another
 * @param steals times that it got some
 * @param offers times that a part gave rows to another unasked
 * @param stalledNanos time that copies to the device waited for its memory, and kernels for their
 *     arguments, in nanoseconds
 * @param stalledNanosByEdge time that each step of the device's pipeline waited for another, by the
 *     name of that dependency, in nanoseconds; at least {@code stalledNanos}
 */
public record InnerLoad(
    int parts,
    long queueDepth,
    long capacity,
    long rows,
    long stealRequests,
    long steals,
    long offers,
    long stalledNanos,
    Map<String, Long> stalledNanosByEdge)
    implements Serializable {
  public InnerLoad {
    stalledNanosByEdge = Collections.unmodifiableMap(new TreeMap<>(stalledNanosByEdge));
  }

  /** Times that a part looked for rows at another and got none. */
  public long emptySteals() {
    return stealRequests - steals;
  }

  /** A load of which each figure is named, and is 0 if it is not. */
  public static Builder builder() {
    return new Builder();
  }

  /** Puts a load together by name. Not thread-safe. */
  public static final class Builder {
    private int parts;
    private long queueDepth;
    private long capacity;
    private long rows;
    private long stealRequests;
    private long steals;
    private long offers;
    private long stalledNanos;
    private Map<String, Long> stalledNanosByEdge = Map.of();

    private Builder() {}

    /** See {@link InnerLoad#parts()}. */
    public Builder parts(int value) {
      parts = value;
      return this;
    }

    /** See {@link InnerLoad#queueDepth()}. */
    public Builder queueDepth(long value) {
      queueDepth = value;
      return this;
    }

    /** See {@link InnerLoad#capacity()}. */
    public Builder capacity(long value) {
      capacity = value;
      return this;
    }

    /** See {@link InnerLoad#rows()}. */
    public Builder rows(long value) {
      rows = value;
      return this;
    }

    /** See {@link InnerLoad#stealRequests()}. */
    public Builder stealRequests(long value) {
      stealRequests = value;
      return this;
    }

    /** See {@link InnerLoad#steals()}. */
    public Builder steals(long value) {
      steals = value;
      return this;
    }

    /** See {@link InnerLoad#offers()}. */
    public Builder offers(long value) {
      offers = value;
      return this;
    }

    /** See {@link InnerLoad#stalledNanos()}. */
    public Builder stalledNanos(long value) {
      stalledNanos = value;
      return this;
    }

    /** See {@link InnerLoad#stalledNanosByEdge()}. */
    public Builder stalledNanosByEdge(Map<String, Long> value) {
      stalledNanosByEdge = value;
      return this;
    }

    public InnerLoad build() {
      return new InnerLoad(
          parts,
          queueDepth,
          capacity,
          rows,
          stealRequests,
          steals,
          offers,
          stalledNanos,
          stalledNanosByEdge);
    }
  }
}
