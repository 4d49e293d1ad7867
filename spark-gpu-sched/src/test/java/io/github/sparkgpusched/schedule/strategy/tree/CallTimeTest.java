package io.github.sparkgpusched.schedule.strategy.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One worker computes rows in virtual time; a block is computed by up to four calls. */
class CallTimeTest {
  private static final long TARGET = 500_000;
  private static final int CALLS = 4;

  /** What one job did. */
  private record Ran(double nanos, long calls, long mostRows, double longestBlockNanos) {}

  private static Ran run(
      long rows, Pace pace, double callNanos, LongToDoubleFunction rowNanos, boolean together) {
    TreeDealer dealer =
        new TreeDealer(
            Deal.builder(rows, List.of(WorkerSpec.host()))
                .targetNanos(TARGET)
                .together(together)
                .pace(pace)
                .build());
    Claim claim = new Claim();
    double all = 0;
    double longest = 0;
    long calls = 0;
    long most = 0;
    while (dealer.claim(0, 0, claim)) {
      long row = claim.from();
      long atOnce = claim.oneCall() ? claim.rows() : (claim.rows() + CALLS - 1) / CALLS;
      double nanos = 0;
      long reached = row;
      while (reached < claim.until() && (claim.oneCall() || nanos < CALLS * TARGET)) {
        nanos += callNanos;
        calls++;
        for (long end = Math.min(claim.until(), reached + atOnce); reached < end; reached++) {
          nanos += rowNanos.applyAsDouble(reached);
        }
      }
      most = Math.max(most, reached - row);
      longest = Math.max(longest, nanos);
      all += nanos;
      dealer.commit(0, claim, reached, Math.round(nanos), 0);
    }
    dealer.leave(0);
    return new Ran(all, calls, most, longest);
  }

  /**
   * As a part of the target time: what blocks could not get smaller than, and what stopped them
   * before.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.15, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 20})
  void blocksAreLongWhereCallsAre(double targets) {
    double call = targets * TARGET;
    long rows = Math.round(200_000 * Math.max(1, targets));
    double row = TARGET / 100.0;
    Ran ran = run(rows, new Pace(), call, r -> row, true);
    double least = rows * row + call;
    assertTrue(
        ran.nanos < 1.35 * least,
        targets + ": " + ran.nanos / least + " times as long as one call, " + ran);
  }

  @Test
  void theNextJobBeginsWithWhatIsKnown() {
    Pace pace = new Pace();
    double call = 4 * TARGET;
    run(100_000, pace, call, r -> 5_000, true);
    assertEquals(call, pace.callNanos(), 0.2 * call);
    Ran next = run(10_000, pace, call, r -> 5_000, true);
    assertTrue(next.calls <= 12, next.calls + " calls");
  }

  /** What a row takes, as a part of the target time. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 1, 3, 1000})
  void rowsThatTakeTheirTimeAreDealtAsBefore(double targets) {
    double row = targets * TARGET;
    Pace pace = new Pace();
    Ran together = run(10_000, pace, 0, r -> row, true);
    assertEquals(0, pace.callNanos());
    Ran apart = run(10_000, new Pace(), 0, r -> row, false);
    assertTrue(together.mostRows <= Math.max(2, apart.mostRows), () -> together + " " + apart);
  }

  @Test
  void rowsOfManyKindsAreNoCalls() {
    SplittableRandom random = new SplittableRandom(11);
    double[] nanos =
        random.doubles(20_000).map(x -> TARGET / 20.0 * Math.pow(1 - x, -0.9)).toArray();
    Ran together = run(nanos.length, new Pace(), 0, r -> nanos[(int) r], true);
    Ran apart = run(nanos.length, new Pace(), 0, r -> nanos[(int) r], false);
    assertTrue(together.mostRows <= 2 * apart.mostRows, () -> together + " " + apart);
  }

  /** Calls take their time in the first half, rows in the second. */
  @Test
  void whatIsKnownIsGivenUpWhereItDoesNotHold() {
    Pace pace = new Pace();
    run(100_000, pace, 4 * TARGET, r -> 5_000, true);
    Ran ran = run(1_000, pace, 0, r -> 2 * TARGET, true);
    assertEquals(0, pace.callNanos());
    Ran then = run(1_000, pace, 0, r -> 2 * TARGET, true);
    assertTrue(then.mostRows <= 2, () -> ran + " " + then);
  }

  @Test
  void callsThatTakeSecondsDoNotMakeMinutes() {
    Ran ran = run(1_000_000, new Pace(), 2e9, r -> 10_000, true);
    assertTrue(ran.longestBlockNanos <= 2 * 3e9, ran + "");
  }

  @ParameterizedTest
  @CsvSource({"false, 4", "true, 0"})
  void oneCallIsAskedForWhereRowsAreComputedTogether(boolean together, int targets) {
    TreeDealer dealer =
        new TreeDealer(
            Deal.builder(1_000, List.of(WorkerSpec.host()))
                .targetNanos(TARGET)
                .together(together)
                .build());
    Claim claim = new Claim();
    while (dealer.claim(0, 0, claim)) {
      assertTrue(!claim.oneCall(), claim + "");
      dealer.commit(0, claim, claim.until(), claim.rows() + targets * TARGET, 0);
    }
  }
}
