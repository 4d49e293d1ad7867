package io.github.sparkgpusched.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {
  // First bytes, following bytes, and the values at which the rules change.
  private static final int[] EDGES = {
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF
  };

  @Test
  void decodesEveryCharacterAsAStringDoes() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      check(Character.toString(codePoint).getBytes(UTF_8));
    }
  }

  @Test
  void decodesShortMalformedInputAsAStringDoes() {
    byte[] bytes = new byte[4];
    for (int a : EDGES) {
      for (int b : EDGES) {
        for (int c : EDGES) {
          for (int d : EDGES) {
            bytes[0] = (byte) a;
            bytes[1] = (byte) b;
            bytes[2] = (byte) c;
            bytes[3] = (byte) d;
            check(bytes);
          }
          check(Arrays.copyOf(bytes, 3));
        }
        check(Arrays.copyOf(bytes, 2));
      }
      check(Arrays.copyOf(bytes, 1));
    }
  }

  @Test
  void decodesLongMalformedInputAsAStringDoes() {
    Random random = new Random(2);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(24)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = (byte) EDGES[random.nextInt(EDGES.length)];
      }
      check(bytes);
    }
  }

  private static void check(byte[] bytes) {
    int[] codePoints = new int[bytes.length];
    int count = Utf8.decode(bytes, bytes.length, codePoints);
    assertArrayEquals(
        new String(bytes, UTF_8).codePoints().toArray(),
        Arrays.copyOf(codePoints, count),
        () -> HexFormat.of().formatHex(bytes));
  }
}
