package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.DeviceMemoryException;
import org.junit.jupiter.api.Test;

class PinnedMemoryTest {
  /** JCuda's ByteBuffer of it could not be made, after the driver has allocated it. */
  @Test
  void twoGibibytesAreNotAskedOfTheDriver() {
    PinnedMemory memory = new PinnedMemory("cuda:0", 8L << 30, () -> {});
    long bytes = PinnedMemory.roundUp((1L << 30) + 1);
    assertEquals(2L << 30, bytes);
    DeviceMemoryException e =
        assertThrows(DeviceMemoryException.class, () -> memory.allocate(bytes));
    assertEquals(bytes, e.requestedBytes());
    assertTrue(e.getMessage().contains("1073741824 are the most"), e.getMessage());
  }
}
