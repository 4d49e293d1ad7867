package io.github.sparkgpusched.advise.replay;

/**
 * An executor.
 *
 * @param cores how many tasks it runs at once, and how many threads compute
 * @param from when it joins, in seconds since the period began
 * @param until when it gets no more tasks
 */
public record ReplayExecutor(int cores, double from, double until) {}
