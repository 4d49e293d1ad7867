package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.StageLoad;
import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * In the event log: what devices computed for a stage that has ended.
 *
 * @param version of this class' components; 1
 * @param stage the stage's load; null at the application's end
 * @param spans an even sample of the blocks of stages that have ended, as far as no event before
 *     had them; bounded
 * @param leftOutBlocks blocks of these stages that are not in the sample; 0 in logs of versions
 *     that did not count them
 */
public record GpuSchedStageEvent(
    int version, StageLoad stage, List<LoadView.Span> spans, long leftOutBlocks)
    implements SparkListenerEvent {}
