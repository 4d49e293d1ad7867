package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The event log has spans of all of a stage's time and devices, and says how many it lacks. */
class SpanLogTest {
  private final SpanLog log = new SpanLog();

  /** A report of eight devices, with a span of two blocks for each. */
  private void report(int stage, long second) {
    List<BlockSpan> spans = new ArrayList<>();
    for (int device = 0; device < 8; device++) {
      long start = second * 1_000_000;
      spans.add(new BlockSpan("host:" + device, start, start + 9, 5, 2, false, stage, 0, 1, null));
    }
    log.add(ExecutorLoad.builder("1").spans(spans).build());
  }

  private static long blocks(SpanLog.Taken taken) {
    return taken.leftOutBlocks()
        + taken.spans().stream().mapToLong(span -> span.span().blocks()).sum();
  }

  private static Map<Long, Long> counts(
      List<LoadView.Span> spans, java.util.function.ToLongFunction<BlockSpan> by) {
    return spans.stream()
        .collect(Collectors.groupingBy(span -> by.applyAsLong(span.span()), Collectors.counting()));
  }

  @Test
  void aShortStageIsThereWhole() {
    report(3, 0);
    SpanLog.Taken taken = log.stageEnded(3, 0);
    assertEquals(8, taken.spans().size());
    assertEquals(0, taken.leftOutBlocks());
  }

  @Test
  void aLongStageIsSampledOverAllOfItsTimeAndDevices() {
    for (int second = 0; second < 10_000; second++) {
      report(3, second);
    }
    SpanLog.Taken taken = log.stageEnded(3, 0);
    int size = taken.spans().size();
    assertTrue(size <= SpanLog.MOST_OF_STAGE && size >= SpanLog.MOST_OF_STAGE / 3, size + " spans");
    assertEquals(160_000, blocks(taken));
    Map<Long, Long> byTime = counts(taken.spans(), span -> span.startMicros() / 1_000_000_000);
    assertEquals(10, byTime.size(), "each tenth of the time: " + byTime);
    byTime.forEach(
        (tenth, count) -> assertTrue(count > size / 30 && count < size / 4, "" + byTime));
    Map<Long, Long> byDevice =
        counts(taken.spans(), span -> Long.parseLong(span.device().substring(5)));
    assertEquals(8, byDevice.size(), "each device: " + byDevice);
    byDevice.forEach(
        (d, count) -> assertTrue(count > size / 24 && count < size / 3, "" + byDevice));
  }

  @Test
  void spansThatComeLateAreWrittenWithTheNextStageAndAreNotMoreThanTheirShare() {
    for (int second = 0; second < 10_000; second++) {
      report(3, second);
    }
    log.stageEnded(3, 0);
    for (int second = 0; second < 20; second++) {
      report(3, second);
    }
    SpanLog.Taken next = log.stageEnded(4, 0);
    assertEquals(2 * 8 * 20, blocks(next));
    assertTrue(next.spans().size() < 20, next.spans().size() + " of 160 spans, one in 128");
  }

  @Test
  void aStageThatRunsWaitsForItsEndOrThatOfTheApplication() {
    report(3, 0);
    report(4, 0);
    assertEquals(8, log.stageEnded(4, 0).spans().size());
    assertEquals(8, log.rest().spans().size());
    assertEquals(0, blocks(log.rest()));
  }

  @Test
  void noBlockGoesUncounted() {
    for (int stage = 0; stage < 5000; stage++) {
      report(stage, 0);
    }
    assertEquals(5000 * 16, blocks(log.rest()));
  }
}
