/**
 * Dealing by prediction, for workers whose blocks cost a launch: {@link
 * io.github.sparkgpusched.schedule.strategy.fill.FillUpDealer} holds the design. One lock per job.
 */
package io.github.sparkgpusched.schedule.strategy.fill;
