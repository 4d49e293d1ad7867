package io.github.sparkgpusched.bench.simulate.cluster;

/**
 * Some of a stage's rows.
 *
 * @param heavy whether it is one of those that have most of them
 */
record Partition(int index, long rows, boolean heavy) {}
