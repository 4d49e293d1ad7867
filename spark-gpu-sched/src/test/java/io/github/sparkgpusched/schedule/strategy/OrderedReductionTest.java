package io.github.sparkgpusched.schedule.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderedReductionTest {
  private static OrderedReduction<String> strings() {
    return new OrderedReduction<>(String::concat);
  }

  private static String digits(long from, long until) {
    StringBuilder s = new StringBuilder();
    for (long i = from; i < until; i++) {
      s.append((char) ('a' + i % 26));
    }
    return s.toString();
  }

  @Test
  void neighboursAreCombinedAsTheyCome() {
    OrderedReduction<String> reduction = strings();
    reduction.add(2, 3, "c");
    reduction.add(0, 1, "a");
    assertEquals(2, reduction.pieces());
    reduction.add(1, 2, "b");
    assertEquals(1, reduction.pieces());
    reduction.add(4, 6, "ef");
    reduction.add(3, 4, "d");
    assertEquals(1, reduction.pieces());
    assertEquals(Optional.of("abcdef"), reduction.result(6));
  }

  @Test
  void anyOrderGivesTheSame() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Long> bounds = bounds(1 + random.nextInt(50), random);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i + 1 < bounds.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      OrderedReduction<String> reduction = strings();
      for (int i : order) {
        reduction.add(bounds.get(i), bounds.get(i + 1), digits(bounds.get(i), bounds.get(i + 1)));
      }
      long rows = bounds.get(bounds.size() - 1);
      assertEquals(Optional.of(digits(0, rows)), reduction.result(rows), "seed " + seed);
      assertEquals(1, reduction.pieces());
    }
  }

  private static List<Long> bounds(int blocks, Random random) {
    List<Long> bounds = new ArrayList<>(List.of(0L));
    for (int i = 0; i < blocks; i++) {
      bounds.add(bounds.get(i) + 1 + random.nextInt(5));
    }
    return bounds;
  }

  @Test
  void threadsThatAddAtOnce() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      OrderedReduction<String> reduction = strings();
      int threads = 3;
      List<Thread> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t;
        Thread thread =
            new Thread(
                () -> {
                  for (int i = first; i < 60; i += threads) {
                    reduction.add(i, i + 1, digits(i, i + 1));
                  }
                });
        thread.start();
        all.add(thread);
      }
      for (Thread thread : all) {
        thread.join();
      }
      assertEquals(Optional.of(digits(0, 60)), reduction.result(60));
    }
  }

  @Test
  void noRowsHaveNoResult() {
    assertEquals(Optional.empty(), strings().result(0));
  }

  @Test
  void missingRowsAreTold() {
    OrderedReduction<String> reduction = strings();
    reduction.add(1, 2, "b");
    assertThrows(IllegalStateException.class, () -> reduction.result(2));
    assertThrows(IllegalStateException.class, () -> reduction.result(0));
    reduction.add(0, 1, "a");
    assertThrows(IllegalStateException.class, () -> reduction.result(3));
  }

  @Test
  void rowsAreAddedOnce() {
    OrderedReduction<String> reduction = strings();
    reduction.add(0, 4, "abcd");
    assertThrows(IllegalArgumentException.class, () -> reduction.add(2, 5, "cde"));
    assertThrows(IllegalArgumentException.class, () -> reduction.add(0, 1, "a"));
    assertThrows(IllegalArgumentException.class, () -> reduction.add(5, 5, ""));
  }
}
