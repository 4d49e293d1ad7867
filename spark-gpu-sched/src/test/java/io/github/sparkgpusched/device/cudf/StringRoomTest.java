package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StringRoomTest {
  private static final int STRING = 100_000;

  /** As cuDF's builder does it: what it would refuse has been refused, and is near to 2 GiB. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 65_536, 1_000_000, 67_108_864, 134_217_728, Integer.MAX_VALUE})
  void whatFitsIsNotRefused(int rows) {
    StringRoom room = new StringRoom(rows);
    long capacity = room.first();
    assertTrue(capacity >= Math.min(Integer.MAX_VALUE, 16L * rows), () -> "" + room.first());
    assertTrue(capacity <= Math.max(1 << 13, 32L * rows), () -> "" + room.first());
    long bytes = 0;
    while (bytes + STRING <= Integer.MAX_VALUE - (Integer.MAX_VALUE >> 11)) {
      assertTrue(room.take(STRING));
      bytes += STRING;
      while (capacity < bytes) {
        capacity *= 2;
      }
      assertTrue(capacity <= Integer.MAX_VALUE, "cuDF refuses");
    }
    assertEquals(bytes, room.taken());
    assertFalse(room.take((int) (Integer.MAX_VALUE - bytes + 1)));
  }
}
