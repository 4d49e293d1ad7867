package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

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

  /** With a seed, so that the same spans give the same sample. */
  private final SplittableRandom random = new SplittableRandom(0);

  private List<Ranked> kept = new ArrayList<>();
  private int leastRank;
  private long leftOutBlocks;

  /** An empty sample of at most so many spans; where there are more, of at least half as many. */
  SpanSample(int most) {
    this.most = most;
  }

  void add(LoadView.Span span) {
    int rank = Long.numberOfTrailingZeros(random.nextLong());
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
