package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random tasks that come and go, and one device that serves whoever is first in order. */
class FairQueueTest {
  private static final int BLOCKS = 20_000;

  private static final class Task {
    final Account account;
    final double weight;
    final long mostNanos;

    /** Device time so far. */
    double served;

    boolean hasWork = true;

    final List<Rival> rivals = new ArrayList<>();

    Task(double weight, long mostNanos) {
      this.weight = weight;
      this.account = new Account(weight);
      this.mostNanos = mostNanos;
    }
  }

  private static FairQueue<Task> queue() {
    return new FairQueue<>(task -> task.account, task -> task.hasWork);
  }

  /** What two tasks had when they began to have work together. */
  private record Rival(Task other, double servedThen, double othersThen) {}

  private static double weight(Random random) {
    return Math.pow(2, random.nextInt(9) - 4);
  }

  /**
   * Of two tasks that both always have work, the device time by weight since when they do never
   * differs by more than two blocks by weight: the bound of start-time fair queuing.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whoAlwaysHasWorkGetsItsPart(long seed) {
    Random random = new Random(seed);
    FairQueue<Task> queue = queue();
    List<Task> present = new ArrayList<>();
    for (int block = 0; block < BLOCKS; block++) {
      if (present.isEmpty() || (present.size() < 12 && random.nextInt(200) == 0)) {
        Task task = new Task(weight(random), 1 + random.nextInt(1_000_000));
        for (Task other : present) {
          task.rivals.add(new Rival(other, task.served, other.served));
          other.rivals.add(new Rival(task, other.served, task.served));
        }
        queue.add(task);
        present.add(task);
      } else if (present.size() > 1 && random.nextInt(300) == 0) {
        Task gone = present.remove(random.nextInt(present.size()));
        queue.remove(gone);
        present.forEach(task -> task.rivals.removeIf(rival -> rival.other() == gone));
      }
      Task first = queue.inOrder().get(0);
      queue.served(first);
      long nanos = 1L + random.nextInt((int) first.mostNanos);
      first.account.charge(nanos);
      first.served += nanos;
      for (Task task : present) {
        task.rivals.forEach(rival -> assertFair(task, rival));
      }
    }
  }

  private static void assertFair(Task task, Rival rival) {
    Task other = rival.other();
    double mine = (task.served - rival.servedThen()) / task.weight;
    double theirs = (other.served - rival.othersThen()) / other.weight;
    // Charges differ by one block of either at most; they may have begun so far apart, too.
    double block = Math.max(task.mostNanos / task.weight, other.mostNanos / other.weight);
    assertTrue(
        Math.abs(mine - theirs) <= 2 * block,
        () -> task.account + " " + mine + " against " + theirs);
  }

  @Test
  void weightsAreObeyed() {
    FairQueue<Task> queue = queue();
    Task one = new Task(1, 100);
    Task three = new Task(3, 100);
    queue.add(one);
    queue.add(three);
    for (int block = 0; block < 400; block++) {
      Task first = queue.inOrder().get(0);
      queue.served(first);
      first.account.charge(100);
      first.served += 100;
    }
    assertEquals(10_000, one.served, 100);
    assertEquals(30_000, three.served, 100);
  }

  @Test
  void theLeastUrgentOfManyIsServed() {
    FairQueue<Task> queue = queue();
    Task patient = new Task(1.0 / 32, 100);
    queue.add(patient);
    for (int i = 0; i < 10; i++) {
      queue.add(new Task(32, 100));
    }
    int blocks = 0;
    patient.account.charge(100);
    while (queue.inOrder().get(0) != patient) {
      queue.inOrder().get(0).account.charge(100);
      blocks++;
    }
    // After one block of its own the ten others get 32 * 32 times as many, each.
    assertEquals(10 * 32 * 32, blocks, 10);
  }

  @Test
  void whoComesLateIsNotServedAloneUntilItHasCaughtUp() {
    FairQueue<Task> queue = queue();
    Task old = new Task(1, 100);
    queue.add(old);
    old.account.charge(3_600_000_000_000L);
    Task late = new Task(1, 100);
    queue.add(late);
    assertEquals(old.account.virtualNanos(), late.account.virtualNanos());
  }

  /** The old one is between two batches as the late one comes, and it the first to go on. */
  @Test
  void norWhoComesWhileNobodyIsThere() {
    FairQueue<Task> queue = queue();
    Task old = new Task(1, 100);
    queue.add(old);
    old.account.charge(3_600_000_000_000L);
    queue.remove(old);
    Task late = new Task(1, 100);
    queue.add(late);
    assertEquals(old.account.virtualNanos(), late.account.virtualNanos());
  }

  @Test
  void whoWasIdleHasSavedNothingUp() {
    FairQueue<Task> queue = queue();
    Task busy = new Task(1, 100);
    Task idle = new Task(1, 100);
    queue.add(busy);
    queue.add(idle);
    queue.remove(idle);
    busy.account.charge(1_000_000);
    queue.add(idle);
    assertEquals(1_000_000, idle.account.virtualNanos());
  }

  /** Its batch is computed, and what comes next waits for a slow source. */
  @Test
  void whoHasNothingToDoSavesNothingUpForOthers() {
    FairQueue<Task> queue = queue();
    Task done = new Task(1, 100);
    Task busy = new Task(1, 100);
    queue.add(done);
    queue.add(busy);
    done.hasWork = false;
    busy.account.charge(1_000_000);
    Task late = new Task(1, 100);
    queue.add(late);
    assertEquals(1_000_000, late.account.virtualNanos());
    queue.remove(done);
    done.hasWork = true;
    queue.add(done);
    assertEquals(1_000_000, done.account.virtualNanos());
  }

  @Test
  void aWeightIsPositive() {
    assertThrows(IllegalArgumentException.class, () -> new Account(0));
    assertThrows(IllegalArgumentException.class, () -> new Account(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new Account(Double.POSITIVE_INFINITY));
  }
}
