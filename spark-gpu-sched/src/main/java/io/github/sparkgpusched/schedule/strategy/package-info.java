/**
 * How the rows of one job are dealt to its workers: what a strategy is told ({@link
 * io.github.sparkgpusched.schedule.strategy.Deal}), what it answers ({@link
 * io.github.sparkgpusched.schedule.strategy.Dealer}, which may be implemented anywhere), and the
 * two simplest ones. Knows the JDK alone: the executor's threads and the simulator drive the same
 * classes. Those that put the strategies together are a package above.
 */
package io.github.sparkgpusched.schedule.strategy;
