package io.github.sparkgpusched.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementHintsTest {
  @Test
  void twoFunctionsNeedTheMostOfEachProperty() {
    PlacementHints gpu = new PlacementHints(5, 80, 1);
    assertEquals(Map.of(PlacementHints.COMPUTE_CAPABILITY, 80), gpu.least());
    PlacementHints other =
        new PlacementHints(3, Map.of(PlacementHints.COMPUTE_CAPABILITY, 75, "other.size", 2), 4);
    assertEquals(
        new PlacementHints(5, Map.of(PlacementHints.COMPUTE_CAPABILITY, 80, "other.size", 2), 4),
        gpu.and(other));
    assertEquals(gpu.and(other), other.and(gpu));
    assertEquals(new PlacementHints(5, 80, 1), gpu.and(PlacementHints.NONE));
  }

  @Test
  void needsAreAtLeastNothing() {
    assertEquals(PlacementHints.NONE, new PlacementHints(0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new PlacementHints(-1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new PlacementHints(0, -80, 0));
    assertThrows(IllegalArgumentException.class, () -> new PlacementHints(0, 0, 11));
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> new PlacementHints(0, Map.of("a.b", -1), 0))
            .getMessage();
    assertTrue(message.contains("a.b=-1"), message);
  }
}
