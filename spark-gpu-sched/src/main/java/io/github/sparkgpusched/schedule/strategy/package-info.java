/**
 * How the rows of one job are dealt to its workers: one class per strategy, behind {@link
 * io.github.sparkgpusched.schedule.strategy.Dealer}. Knows the JDK alone: the executor's threads
 * and the simulator drive the same classes.
 */
package io.github.sparkgpusched.schedule.strategy;
