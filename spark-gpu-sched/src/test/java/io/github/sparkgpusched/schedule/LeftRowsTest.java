package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LeftRowsTest {
  private final LeftRows left = new LeftRows();

  @Test
  void theyAreDoneOnceNoneCanComeAndAllAreComputed() {
    assertTrue(left.areDone());
    left.beginPublishing();
    assertFalse(left.areDone(), "a block that is published may leave some");
    left.add(10, 20);
    left.endPublishing();
    assertTrue(left.isWaiting());
    LeftRows.Range range = left.take();
    assertEquals(new LeftRows.Range(10, 20), range);
    assertNull(left.take());
    assertFalse(left.areDone(), "they are being computed");
    left.computed(range, 13);
    assertEquals(7, left.rows());
    range = left.take();
    assertEquals(new LeftRows.Range(13, 20), range);
    left.computed(range, 20);
    assertTrue(left.areDone());
    assertFalse(left.isWaiting());
  }
}
