package io.github.sparkgpusched.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Random;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LevenshteinTest {
  // Characters of one to four bytes that share bytes: each must be compared whole.
  private static final int[] CHARACTERS = {'a', 'b', 0xE9, 0xEA, 0x20AC, 0x20AD, 0x1F600, 0x1F601};

  private final Levenshtein udf = new Levenshtein();

  @ParameterizedTest
  @CsvSource({
    "kitten, sitting, 3",
    "'', '', 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, abc, 0",
    "abcd, acd, 1",
    "flaw, lawn, 2",
    "Zürich, Zurich, 1",
    "😀a, a, 1",
    "😀, 😁, 1"
  })
  void countsEdits(String a, String b, int expected) {
    assertEquals(expected, udf.call(a, b));
    assertEquals(expected, udf.call(b, a));
  }

  @Test
  void isNullForANullArgument() {
    assertNull(udf.call(null, "a"));
    assertNull(udf.call("a", null));
  }

  @Test
  void equalsSparksFunction() {
    Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      String a = text(random);
      String b = text(random);
      int expected = UTF8String.fromString(a).levenshteinDistance(UTF8String.fromString(b));
      assertEquals(expected, udf.call(a, b), () -> a + " and " + b);
      Object[][] rows = {{a.getBytes(UTF_8), b.getBytes(UTF_8)}};
      assertArrayEquals(
          new Object[] {expected},
          HeapResult.compute(udf, new HeapColumns(rows)),
          () -> a + " and " + b);
    }
  }

  @Test
  void costsTheCellsOfItsTable() {
    Object[][] rows = {{new byte[100000], new byte[100000]}, {new byte[0], new byte[7]}};
    HeapColumns columns = new HeapColumns(rows);
    assertEquals(1e10 + 1, udf.costHint().orElseThrow().cost(columns, 0));
    assertEquals(1, udf.costHint().orElseThrow().cost(columns, 1));
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(20); length > 0; length--) {
      text.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }
}
