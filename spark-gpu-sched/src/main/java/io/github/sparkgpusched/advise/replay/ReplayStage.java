package io.github.sparkgpusched.advise.replay;

import java.util.List;

/**
 * A stage.
 *
 * @param after indexes of the stages that must have ended before it becomes ready; none for the
 *     period's begin
 * @param gapSeconds what the driver takes from then until it is submitted
 * @param tasks in the order in which they are started
 */
public record ReplayStage(List<Integer> after, double gapSeconds, List<ReplayTask> tasks) {}
