/**
 * What the devices of an executor have done and have before them: one {@link
 * io.github.sparkgpusched.load.LoadEntry} per device, one {@link
 * io.github.sparkgpusched.load.LoadTable} per executor. Whoever computes counts in its own entry;
 * everyone else reads snapshots. Knows neither Spark nor the scheduler.
 */
package io.github.sparkgpusched.load;
