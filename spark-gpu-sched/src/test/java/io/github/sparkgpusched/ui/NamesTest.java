package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void numbersAreOrderedByWhatTheyCount() {
    assertEquals(
        List.of("", "1/host:2", "1/host:10", "2/host:1", "10/host:1", "driver/host:0"),
        Stream.of("driver/host:0", "10/host:1", "2/host:1", "1/host:10", "", "1/host:2")
            .sorted(Names.ORDER)
            .toList());
    assertTrue(Names.ORDER.compare("a01", "a1") != 0, "not the same");
    assertTrue(Names.ORDER.compare("a99999999999999999999998", "a99999999999999999999999") < 0);
  }

  @Test
  void aNumberIsFoundWholeAndTextAnywhere() {
    assertTrue(Names.has("1/host:3", "host:3"));
    assertFalse(Names.has("1/host:30", "host:3"));
    assertFalse(Names.has("11/host:0", "1/host"));
    assertTrue(Names.has("1/host:30", "HOST"));
    assertTrue(Names.has("1/host:30", " 1/ "));
    assertTrue(Names.has("1/host:30", ""));
    assertTrue(Names.has("33/host:3", "3"), "the second one is whole");
  }
}
