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
 * @param spans blocks since the stage before, as far as they are kept; bounded
 */
public record GpuSchedStageEvent(int version, StageLoad stage, List<LoadView.Span> spans)
    implements SparkListenerEvent {}
