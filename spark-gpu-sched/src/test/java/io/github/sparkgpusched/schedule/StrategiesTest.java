package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.DealerDriver;
import io.github.sparkgpusched.schedule.strategy.Deals;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What every strategy keeps to. */
class StrategiesTest {
  private static final long[] ROWS = {0, 1, 2, 3, 5, 17, 300, 4000};

  /** Few rows a block, so that ends and borders come up often. */
  private static final Strategies.Options SMALL = new Strategies.Options(7);

  /** Many rows a block, for jobs of more rows than an int counts. */
  private static final Strategies.Options LARGE = new Strategies.Options(1L << 26);

  private static List<DynamicTest> forEach(Consumer<String> test) {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : Strategies.names()) {
      tests.add(DynamicTest.dynamicTest(name, () -> test.accept(name)));
    }
    return tests;
  }

  private static void run(
      String name, Deal deal, Strategies.Options options, long seed, int disturbances) {
    Dealer dealer = Strategies.byName(name, options).deal(deal);
    try {
      new DealerDriver(deal, dealer, new Random(seed), disturbances).run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(name + ", seed " + seed + ", " + deal, e);
    }
  }

  @TestFactory
  List<DynamicTest> everyRowOnce() {
    return forEach(
        name -> {
          for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int rows = (int) ROWS[seed % ROWS.length];
            Deal deal = Deals.random(rows, PrefixCosts.random(rows, random), random);
            run(name, deal, SMALL, seed, 200);
          }
        });
  }

  @TestFactory
  List<DynamicTest> moreRowsThanAnIntCounts() {
    return forEach(
        name -> {
          for (int seed = 0; seed < 5; seed++) {
            // Few workers and long blocks: the work grows with both, for victims in order most.
            Random random = new Random(seed);
            Deal deal = Deals.random((1L << 33) + 1, RangeCosts.UNIFORM, 3, 1 << 28, random);
            run(name, deal, LARGE, seed, 20);
          }
        });
  }

  @Test
  void namesAreInOrder() {
    assertEquals(List.of("adaptive", "static", "fixed", "tree"), List.copyOf(Strategies.names()));
  }

  @Test
  void aNameThatIsNoneIsToldWithThoseThereAre() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Strategies.byName("fifo", Strategies.Options.DEFAULT));
    assertTrue(e.getMessage().contains("'fifo'"), e.getMessage());
    assertTrue(e.getMessage().contains("fixed, tree"), e.getMessage());
  }
}
