package io.github.sparkgpusched.sql.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FixedChoiceTest {
  private final AtomicInteger asked = new AtomicInteger();

  private final FixedChoice choice =
      new FixedChoice(true, 1000, () -> 50_000 + asked.getAndIncrement());

  @Test
  void batchesGrowOnceADeviceHasComputedRows() {
    assertTrue(choice.isBatching());
    assertEquals(1000, choice.batchRows(), "nobody knows who will compute them");
    choice.batchDone(1000, 1, 999, 1);
    assertEquals(50_000, choice.batchRows());
    assertEquals(50_000, choice.batchRows(), "it is asked for with each row");
    assertEquals(1, asked.get());
    choice.batchDone(50_000, 1, 0, 0);
    assertEquals(50_001, choice.batchRows(), "the largest device may be another by now");
  }

  @Test
  void batchesThatCoresComputeAreSmall() {
    choice.batchDone(1000, 1, 0, 0);
    choice.batchDone(50_000, 1, 50_000, 1);
    assertEquals(1000, choice.batchRows());
  }

  @Test
  void rowsThatAreComputedInPlaceStayThere() {
    FixedChoice inPlace = new FixedChoice(false, 1, () -> 1);
    inPlace.look(1);
    inPlace.timed(1_000_000_000);
    assertFalse(inPlace.isBatching());
  }
}
