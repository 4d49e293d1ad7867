package io.github.sparkgpusched.bench.cpu;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.Collections;

/**
 * A strategy of ours, driven as the executor's threads drive it. Each job knows nothing before.
 *
 * @param handsBack whether workers hand back the rest of a block that takes far too long, as the
 *     plugin's do: they look at the clock after each piece of it
 */
record DealerWay(String name, Strategy strategy, Team team, boolean handsBack) implements Way {
  private static final int MIN_PIECES = 8;
  private static final int HAND_BACK_BLOCKS = 4;
  private static final long TARGET_NANOS = 100_000;

  @Override
  public long run(Kernel kernel) {
    Dealer dealer =
        strategy.deal(
            Deal.builder(kernel.rows(), Collections.nCopies(team.workers(), WorkerSpec.host()))
                .targetNanos(TARGET_NANOS)
                .build());
    return team.run(worker -> work(dealer, worker, kernel));
  }

  private long work(Dealer dealer, int worker, Kernel kernel) {
    Claim claim = new Claim();
    long sum = 0;
    long now = System.nanoTime();
    while (true) {
      if (dealer.claim(worker, now, claim)) {
        int row = (int) claim.from();
        int until = (int) claim.until();
        int piece = handsBack ? Math.max(1, (until - row) / MIN_PIECES) : until;
        long end;
        do {
          int pieceEnd = (int) Math.min((long) row + piece, until);
          sum += kernel.run(row, pieceEnd);
          row = pieceEnd;
          end = System.nanoTime();
        } while (row < until && end - now < HAND_BACK_BLOCKS * TARGET_NANOS);
        dealer.commit(worker, claim, row, end - now, end);
        now = end;
      } else if (dealer.rowsCommitted() == kernel.rows() || !handsBack) {
        return sum;
      } else {
        Thread.onSpinWait(); // rows may be handed back
        now = System.nanoTime();
      }
    }
  }
}
