package io.github.sparkgpusched.api;

import java.io.Serializable;

/**
 * A snapshot of what one device did and has before it. Counters only grow; a snapshot's fields are
 * each exact, and taken one after the other while the device works.
 *
 * @param device the device's name, such as {@code host:0}
 * @param queueDepth rows dealt to the device and not yet begun
 * @param capacity blocks that the device holds at once
 * @param rows rows computed
 * @param blocks blocks computed
 * @param stealRequests times that the device looked for rows at another
 * @param steals times that it got some
 * @param failures blocks that ended in an error
 * @param busyNanos time spent computing blocks, in nanoseconds
 */
public record DeviceLoad(
    String device,
    long queueDepth,
    int capacity,
    long rows,
    long blocks,
    long stealRequests,
    long steals,
    long failures,
    long busyNanos)
    implements Serializable {}
