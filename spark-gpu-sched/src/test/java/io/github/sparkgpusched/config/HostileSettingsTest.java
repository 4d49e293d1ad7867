package io.github.sparkgpusched.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random keys and values: each is honoured, or refused with one line that a log can hold. */
class HostileSettingsTest {
  private static final int SETTINGS = Integer.getInteger("hostile.settings", 20_000);
  private static final long SEED = Long.getLong("hostile.seed", 27);
  private static final int LONGEST_MESSAGE = 1000;

  private static final List<String> PIECES =
      List.of(
          "",
          " ",
          "0",
          "1",
          "-1",
          "7",
          "64",
          "1024",
          "65536",
          "2147483648",
          "9223372036854775807",
          "99999999999999999999",
          "1e9",
          "0x10",
          "NaN",
          "Infinity",
          "+5",
          "1_000",
          "٣",
          "½",
          "k",
          "m",
          "g",
          "64m",
          "1.5g",
          "kb",
          "b",
          "-3k",
          "true",
          "FALSE",
          "yes",
          "auto",
          "off",
          "always",
          "never",
          "adaptive",
          "host",
          "host:0",
          "cuda:*",
          "cuda:0,1",
          "cuda:999999",
          ",",
          ",,",
          ":",
          ";",
          "..",
          "/",
          "/tmp",
          "\u0000",
          "\n",
          "\r\n",
          "\t",
          "\u0085",
          "\u2028",
          "\u202e",
          "'",
          "\"",
          "\\",
          "${spark.app.id}",
          "%s",
          "%n",
          "{}",
          "é",
          "🙂",
          "\ud83d",
          "x".repeat(5000));

  private final SplittableRandom random = new SplittableRandom(SEED);

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(random.nextInt(9) == 0 ? (char) random.nextInt(65536) : one(PIECES));
    }
    return text.toString();
  }

  private String key() {
    String key = one(GpuSchedConfig.entries()).key();
    return switch (random.nextInt(10)) {
      case 0 -> GpuSchedConfig.PREFIX + text();
      case 1 -> key + text();
      case 2 -> key.substring(0, GpuSchedConfig.PREFIX.length() + 1) + text() + key.charAt(16);
      default -> key;
    };
  }

  private String value() {
    ConfigEntry<?> entry = one(GpuSchedConfig.entries());
    return switch (random.nextInt(4)) {
      case 0 -> entry.defaultText() + text();
      case 1 -> text() + entry.defaultText();
      default -> text();
    };
  }

  @Test
  void eachIsHonouredOrRefusedInOneLine() {
    int honoured = 0;
    for (int i = 0; i < SETTINGS; i++) {
      Map<String, String> all = new HashMap<>(Map.of(key(), value()));
      if (random.nextInt(3) == 0) {
        all.put(key(), value());
      }
      honoured += honoured(all, "seed " + SEED + ", setting " + i + ": ") ? 1 : 0;
    }
    assertTrue(honoured > SETTINGS / 100 && honoured < SETTINGS, honoured + " honoured");
  }

  private static boolean honoured(Map<String, String> all, String where) {
    try {
      GpuSchedConfig.validate(all);
    } catch (IllegalArgumentException e) {
      String message = e.getMessage();
      assertTrue(message.startsWith(GpuSchedConfig.PREFIX.substring(0, 14)), where + message);
      assertTrue(message.length() < LONGEST_MESSAGE, where + message.length() + " characters");
      assertTrue(message.codePoints().noneMatch(HostileSettingsTest::breaksALog), where + message);
      return false;
    } catch (RuntimeException e) {
      throw new AssertionError(where + all, e);
    }
    GpuSchedConfig config = GpuSchedConfig.from(all);
    all.forEach(
        (key, value) -> {
          if (GpuSchedConfig.isOurs(key)) {
            ConfigEntry<?> entry = GpuSchedConfig.entry(key, value);
            assertEquals(entry.parse(value), config.get(entry), where + key);
          }
        });
    return true;
  }

  private static boolean breaksALog(int character) {
    int kind = Character.getType(character);
    return kind == Character.CONTROL
        || kind == Character.FORMAT
        || kind == Character.LINE_SEPARATOR
        || kind == Character.PARAGRAPH_SEPARATOR
        || kind == Character.SURROGATE;
  }
}
