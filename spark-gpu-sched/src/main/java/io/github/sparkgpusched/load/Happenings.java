package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What happened last in an application: spans of blocks, device events, calls that stay row by row.
 * Not thread-safe; {@link ApplicationLoad} guards it.
 */
final class Happenings {
  /** UDFs with a reason why they are not batched that are told apart. */
  private static final int MOST_FALLBACKS = 500;

  private record FallbackKey(String udf, String reason) {}

  /** An event, and how many were heard of before it. */
  private record Numbered(long number, DeviceEvent event) {}

  private final int mostSpans;
  private final int mostEvents;
  private final ArrayDeque<LoadView.Span> spans = new ArrayDeque<>();

  /** The last of each {@linkplain DeviceEvent#bound() bound}. */
  private final Map<String, ArrayDeque<Numbered>> events = new HashMap<>();

  private long heardEvents;
  private final Map<FallbackKey, Long> fallbacks = new LinkedHashMap<>();
  private long droppedSpans;

  /** Blocks of the spans that were dropped, and of those that were left out of the event log. */
  private long droppedBlocks;

  private long leftOutBlocks;

  Happenings(int mostSpans, int mostEvents) {
    this.mostSpans = mostSpans;
    this.mostEvents = mostEvents;
  }

  void addSpan(LoadView.Span span) {
    spans.addLast(span);
    if (spans.size() > mostSpans) {
      droppedBlocks += spans.removeFirst().span().blocks();
      droppedSpans++;
    }
  }

  void addLeftOut(long blocks) {
    leftOutBlocks += blocks;
  }

  void addEvent(DeviceEvent event) {
    ArrayDeque<Numbered> alike = events.computeIfAbsent(event.bound(), b -> new ArrayDeque<>());
    alike.addLast(new Numbered(heardEvents++, event));
    if (alike.size() > mostEvents) {
      alike.removeFirst();
    }
  }

  /** True if this was the first with this UDF and reason, and is kept. */
  boolean addFallback(String udf, String reason) {
    FallbackKey key = new FallbackKey(udf, reason);
    if (!fallbacks.containsKey(key) && fallbacks.size() >= MOST_FALLBACKS) {
      return false;
    }
    return fallbacks.merge(key, 1L, Long::sum) == 1;
  }

  /** Takes the spans of a report, and what has happened since the one before, which it returns. */
  List<DeviceEvent> add(ExecutorLoad before, ExecutorLoad now) {
    now.spans().forEach(span -> addSpan(new LoadView.Span(now.executorId(), span)));
    List<DeviceEvent> happened = between(before, now);
    happened.forEach(this::addEvent);
    return happened;
  }

  private static List<DeviceEvent> between(ExecutorLoad before, ExecutorLoad now) {
    List<DeviceEvent> happened = new ArrayList<>();
    if (before == null) {
      List<String> own =
          now.devices().stream().filter(d -> !d.borrowed()).map(DeviceLoad::device).toList();
      String names = String.join(", ", own);
      happened.add(event(now, "", "started", count(own.size(), "device") + ": " + names));
    }
    if (borrows(now) && (before == null || !borrows(before))) {
      happened.add(event(now, "", "borrowed", "other executors lend it cores"));
    }
    for (int i = 0; i < now.devices().size(); i++) {
      DeviceLoad device = now.devices().get(i);
      DeviceLoad old =
          before == null || i >= before.devices().size() ? null : before.devices().get(i);
      DeviceState oldState = old == null ? DeviceState.ACTIVE : old.state();
      if (device.state() != oldState) {
        happened.add(event(now, device.device(), LoadView.stateName(device), ""));
      }
      addFailures(happened, now, device, device.failures() - (old == null ? 0 : old.failures()));
    }
    for (BlockFailure failure : now.failures()) {
      if (failure.device().isEmpty()) {
        happened.add(event(now, "", "failure", failure.text()));
      }
    }
    return happened;
  }

  private static boolean borrows(ExecutorLoad report) {
    return report.devices().stream().anyMatch(DeviceLoad::borrowed);
  }

  /** An event for each failure that is told of, and one for how many others there were. */
  private static void addFailures(
      List<DeviceEvent> happened, ExecutorLoad now, DeviceLoad device, long count) {
    long others = count;
    for (BlockFailure failure : now.failures()) {
      if (failure.device().equals(device.device())) {
        happened.add(event(now, device.device(), "failure", failure.text()));
        others--;
      }
    }
    if (others > 0) {
      String detail = count(others, "block") + " ended in an error";
      happened.add(event(now, device.device(), "failure", detail));
    }
  }

  private static String count(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static DeviceEvent event(ExecutorLoad at, String device, String kind, String detail) {
    return new DeviceEvent(at.timeMillis(), at.executorId(), device, kind, detail);
  }

  /** Puts what this knows into a view. */
  void fill(LoadView.Builder view) {
    view.spans = List.copyOf(spans);
    view.droppedSpans = droppedSpans;
    view.droppedBlocks = droppedBlocks;
    view.missedBlocks += leftOutBlocks;
    view.events =
        events.values().stream()
            .flatMap(ArrayDeque::stream)
            .sorted(Comparator.comparingLong(Numbered::number))
            .map(Numbered::event)
            .toList();
    view.fallbacks =
        fallbacks.entrySet().stream()
            .map(e -> new LoadView.Fallback(e.getKey().udf, e.getKey().reason, e.getValue()))
            .toList();
  }
}
