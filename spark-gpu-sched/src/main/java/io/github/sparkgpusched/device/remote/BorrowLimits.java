package io.github.sparkgpusched.device.remote;

/**
 * How much an executor borrows.
 *
 * @param cores of others at once
 * @param blockBytes that it sends at once; two blocks for each core are on their way, or wait there
 */
public record BorrowLimits(int cores, long blockBytes) {}
