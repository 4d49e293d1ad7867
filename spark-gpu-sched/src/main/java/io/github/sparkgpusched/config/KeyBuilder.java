package io.github.sparkgpusched.config;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Declares a key: its meaning, then the values that it may have, then its default, then when it may
 * change, which puts it into its group. For example:
 *
 * <pre>{@code
 * KEYS.key("batch.rows").doc("How many rows …").intRange(1, 16777216).defaultsTo(16384).perQuery()
 * }</pre>
 */
final class KeyBuilder {
  private final KeyGroup group;
  private final String key;
  private String doc;
  private String formerKey;

  KeyBuilder(KeyGroup group, String key) {
    this.group = group;
    this.key = key;
  }

  /** What the key does: a sentence or two for the reference page. */
  KeyBuilder doc(String text) {
    this.doc = text;
    return this;
  }

  /**
   * A name that the key had in an earlier version. It is refused, with the new name.
   *
   * @param name what followed {@link GpuSchedConfig#PREFIX}
   */
  KeyBuilder formerly(String name) {
    this.formerKey = GpuSchedConfig.PREFIX + name;
    return this;
  }

  Values<Boolean> trueOrFalse() {
    return new Values<>(Boolean.class, KeyBuilder::readBoolean, value -> true, "true or false");
  }

  /** A whole number; both ends are allowed. */
  Values<Integer> intRange(int least, int most) {
    return new Values<>(
        Integer.class,
        Integer::valueOf,
        value -> value >= least && value <= most,
        "a whole number from " + least + " to " + most);
  }

  /** The same, above the value of another key; that is checked when the application starts. */
  Values<Integer> intRangeAbove(int least, int most, ConfigEntry<Integer> below) {
    Values<Integer> range = intRange(least, most);
    return new Values<>(
        range.type, range.reader, range.check, range.allowed + ", above " + below, below);
  }

  Values<Integer> powerOfTwo(int least, int most) {
    return new Values<>(
        Integer.class,
        Integer::valueOf,
        value -> value >= least && value <= most && Integer.bitCount(value) == 1,
        "a power of two from " + least + " to " + most);
  }

  /** A whole number; both ends are allowed. */
  Values<Long> longRange(long least, long most) {
    return new Values<>(
        Long.class,
        Long::valueOf,
        value -> value >= least && value <= most,
        "a whole number from " + least + " to " + most);
  }

  /** A size, read as bytes; both ends are allowed, and written as a user does: {@code 64m}. */
  Values<Long> bytesRange(String least, String most) {
    long leastBytes = ByteSize.parse(least);
    long mostBytes = ByteSize.parse(most);
    return new Values<>(
        Long.class,
        ByteSize::parse,
        value -> value >= leastBytes && value <= mostBytes,
        "a size from " + least + " to " + most);
  }

  /** One of a few names; upper or lower case. */
  Values<String> oneOf(String... names) {
    List<String> known = List.of(names);
    return new Values<>(
        String.class,
        text -> text.toLowerCase(Locale.ROOT),
        known::contains,
        "one of " + String.join(", ", known));
  }

  <E extends Enum<E>> Values<E> oneOf(Class<E> words) {
    return new Values<>(
        words,
        text -> Enum.valueOf(words, text.toUpperCase(Locale.ROOT)),
        value -> true,
        Arrays.stream(words.getEnumConstants())
            .map(Enum::name)
            .collect(Collectors.joining(", ", "one of ", "")));
  }

  Values<DeviceList> devices() {
    return new Values<>(DeviceList.class, DeviceList::parse, value -> true, DeviceList.ALLOWED);
  }

  /** The path of a file or directory; empty for none. */
  Values<String> path() {
    return new Values<>(String.class, text -> text, text -> true, "a path");
  }

  /**
   * A text that matches a pattern.
   *
   * @param allowed the pattern in words
   */
  Values<String> matching(String pattern, String allowed) {
    return new Values<>(String.class, text -> text, text -> text.matches(pattern), allowed);
  }

  private static Boolean readBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  /** A declaration that has its values, and lacks its default and when it may change. */
  final class Values<T> {
    private final Class<T> type;
    private final Function<String, T> reader;
    private final Predicate<T> check;
    private final String allowed;
    private final ConfigEntry<Integer> below;
    private final Map<T, String> noLonger = new HashMap<>();
    private String defaultText;

    private Values(Class<T> type, Function<String, T> reader, Predicate<T> check, String allowed) {
      this(type, reader, check, allowed, null);
    }

    private Values(
        Class<T> type,
        Function<String, T> reader,
        Predicate<T> check,
        String allowed,
        ConfigEntry<Integer> below) {
      this.type = type;
      this.reader = reader;
      this.check = check;
      this.allowed = allowed;
      this.below = below;
    }

    /**
     * Values that were allowed in earlier versions. They are refused as any other, with the reason.
     *
     * @param why half a sentence for who sets one
     */
    @SafeVarargs
    final Values<T> noLonger(String why, T... values) {
      for (T value : values) {
        noLonger.put(value, why);
      }
      return this;
    }

    /** The value if the key is not set; a size as a user writes it. */
    Values<T> defaultsTo(Object value) {
      this.defaultText = value.toString();
      return this;
    }

    /** Read once, when the driver or an executor starts. */
    ConfigEntry<T> atStart() {
      return declare(MayChange.AT_START);
    }

    /** Read for each query, from its session. */
    ConfigEntry<T> perQuery() {
      return declare(MayChange.PER_QUERY);
    }

    private ConfigEntry<T> declare(MayChange mayChange) {
      return group.add(
          new ConfigEntry<>(
              key,
              formerKey,
              doc,
              new ConfigEntry.Reader<>(type, reader, check, allowed, Map.copyOf(noLonger)),
              below,
              defaultText,
              mayChange));
    }
  }
}
