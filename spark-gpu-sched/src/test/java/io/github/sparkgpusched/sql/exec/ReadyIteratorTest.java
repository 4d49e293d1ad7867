package io.github.sparkgpusched.sql.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ReadyIteratorTest {
  @Test
  void theEndIsLookedForOnce() {
    int[] asked = new int[1];
    ReadyIterator<String> one =
        new ReadyIterator<>() {
          @Override
          String nextOrNull() {
            return asked[0]++ == 0 ? "first" : null;
          }
        };
    assertTrue(one.hasNext());
    assertTrue(one.hasNext());
    assertEquals("first", one.next());
    assertFalse(one.hasNext());
    assertFalse(one.hasNext());
    assertThrows(NoSuchElementException.class, one::next);
    assertEquals(2, asked[0]);
  }
}
