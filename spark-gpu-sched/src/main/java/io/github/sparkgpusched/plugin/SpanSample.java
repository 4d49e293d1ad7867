package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.List;

/**
 * An even sample of a stage's spans, however long it runs: each span has the same chance to be in
 * it, the first as the last, and those of every device. Bounded. Not thread-safe.
 *
 * <p>A span's rank is drawn when it comes: half of them have at least 1, a quarter at least 2, and
 * so on. Whenever there are too many, those of the least rank go, and no more of that rank come.
 * That holds on after some were taken out, so that spans which come late are not more than their
 * share.
 */
final class SpanSample {
  private record Ranked(LoadView.Span span, int rank) {}

  private final int most;
  private List<Ranked> kept = new ArrayList<>();
  private int leastRank;
  private long seen;
  private long leftOutBlocks;

  /** An empty sample of at most so many spans; where there are more, of at least half as many. */
  SpanSample(int most) {
    this.most = most;
  }

  void add(LoadView.Span span) {
    int rank = Long.numberOfTrailingZeros(mixed(seen++));
    if (rank < leastRank) {
      leftOutBlocks += span.span().blocks();
      return;
    }
    kept.add(new Ranked(span, rank));
    while (kept.size() > most) {
      leastRank++;
      List<Ranked> fewer = new ArrayList<>();
      for (Ranked each : kept) {
        if (each.rank() < leastRank) {
          leftOutBlocks += each.span().span().blocks();
        } else {
          fewer.add(each);
        }
      }
      kept = fewer;
    }
  }

  /** The same number gives the same bits, and numbers in a row have nothing in common. */
  private static long mixed(long number) {
    long z = (number + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Takes the spans out, in the order in which they came. */
  List<LoadView.Span> take() {
    List<LoadView.Span> taken = kept.stream().map(Ranked::span).toList();
    kept = new ArrayList<>();
    return taken;
  }

  /** Takes out how many blocks were in spans that were left out. */
  long takeLeftOut() {
    long taken = leftOutBlocks;
    leftOutBlocks = 0;
    return taken;
  }
}
