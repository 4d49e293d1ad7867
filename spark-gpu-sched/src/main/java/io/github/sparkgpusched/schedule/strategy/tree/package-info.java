/**
 * Dealing by work stealing, for workers whose blocks cost next to nothing to begin: {@link
 * io.github.sparkgpusched.schedule.strategy.tree.TreeDealer} holds the design. Lock-free.
 */
package io.github.sparkgpusched.schedule.strategy.tree;
