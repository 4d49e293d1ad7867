package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class DevicePartsTest {
  /**
   * As when each of two blocks in flight says that the device cannot compute the job: neither job
   * nor dealer nor log hear of it again.
   */
  @Test
  void aPartThatHasLeftDoesNotLeaveAgain() {
    DevicePart part = new DevicePart(null, null, 0, false);
    part.left = true;
    new DeviceParts(null, null).leave(part, "no kernel");
    assertFalse(part.mustLeaveDealer);
  }
}
