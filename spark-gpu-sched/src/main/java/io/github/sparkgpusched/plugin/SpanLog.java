package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The spans that go to the event log: of each stage attempt an even sample, written when the stage
 * ends. Bounded. Not thread-safe; {@link LoadPublisher} guards it.
 */
final class SpanLog {
  /** Spans of a stage that are written. */
  static final int MOST_OF_STAGE = 512;

  /** Stages that run or have ended just now; of others, spans are no longer told apart. */
  private static final int MOST_STAGES = 256;

  /**
   * What is to be written.
   *
   * @param leftOutBlocks blocks whose spans were left out since the last time
   */
  record Taken(List<LoadView.Span> spans, long leftOutBlocks) {}

  private record Key(int stageId, int attempt) {}

  private static final class Stage {
    final SpanSample sample = new SpanSample(MOST_OF_STAGE);
    boolean ended;
  }

  /** The oldest first. Those that have ended stay for a while, as some of their spans come late. */
  private final Map<Key, Stage> stages = new LinkedHashMap<>();

  /** Of stages that are not told apart any more. */
  private long leftOutBlocks;

  void add(ExecutorLoad report) {
    for (BlockSpan span : report.spans()) {
      stage(new Key(span.stageId(), span.stageAttempt()))
          .sample
          .add(new LoadView.Span(report.executorId(), span));
    }
  }

  private Stage stage(Key key) {
    Stage stage = stages.get(key);
    if (stage == null) {
      if (stages.size() >= MOST_STAGES) {
        forgetOne();
      }
      stage = new Stage();
      stages.put(key, stage);
    }
    return stage;
  }

  /** Forgets the oldest that has ended; if all run, the oldest. */
  private void forgetOne() {
    Key oldest =
        stages.entrySet().stream()
            .filter(entry -> entry.getValue().ended)
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseGet(() -> stages.keySet().iterator().next());
    SpanSample gone = stages.remove(oldest).sample;
    leftOutBlocks += gone.takeLeftOut();
    for (LoadView.Span span : gone.take()) {
      leftOutBlocks += span.span().blocks();
    }
  }

  /** A stage attempt has ended: its spans, and those of earlier ones that have come since. */
  Taken stageEnded(int stageId, int attempt) {
    stage(new Key(stageId, attempt)).ended = true;
    return take(false);
  }

  /** All that is left. */
  Taken rest() {
    return take(true);
  }

  private Taken take(boolean all) {
    List<LoadView.Span> spans = new ArrayList<>();
    long leftOut = leftOutBlocks;
    leftOutBlocks = 0;
    for (Stage stage : stages.values()) {
      if (all || stage.ended) {
        spans.addAll(stage.sample.take());
        leftOut += stage.sample.takeLeftOut();
      }
    }
    return new Taken(spans, leftOut);
  }
}
