package io.github.sparkgpusched.advise.replay;

import java.util.List;

/**
 * A stage.
 *
 * @param after index of the stage at whose end it becomes ready; -1 for the period's begin
 * @param gapSeconds what the driver takes from then until it is submitted
 * @param tasks in the order in which they are started
 */
public record ReplayStage(int after, double gapSeconds, List<ReplayTask> tasks) {}
