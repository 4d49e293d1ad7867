package io.github.sparkgpusched.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One configuration key: its type, default, allowed values, meaning, and when it may change.
 * Immutable.
 *
 * @param <T> what a value is read as; sizes are {@link Long}s in bytes
 */
public final class ConfigEntry<T> {
  private final String key;
  private final Class<T> type;
  private final String defaultText;
  private final T defaultValue;
  private final Function<String, T> reader;
  private final Predicate<T> check;
  private final String allowed;
  private final MayChange mayChange;
  private final String doc;

  /**
   * Makes an entry.
   *
   * @param reader makes a value of trimmed text; an {@link IllegalArgumentException} or {@link
   *     ArithmeticException} of it means that the text is not a value of this type
   */
  private ConfigEntry(
      String key,
      Class<T> type,
      String defaultText,
      Function<String, T> reader,
      Predicate<T> check,
      String allowed,
      MayChange mayChange,
      String doc) {
    this.key = Objects.requireNonNull(key, "key");
    this.type = Objects.requireNonNull(type, "type");
    this.reader = reader;
    this.check = check;
    this.allowed = allowed;
    this.mayChange = Objects.requireNonNull(mayChange, "mayChange");
    this.doc = Objects.requireNonNull(doc, "doc");
    this.defaultText = Objects.requireNonNull(defaultText, "defaultText");
    // The default goes the way of every value: one outside its own range cannot be registered.
    this.defaultValue = parse(defaultText);
  }

  static ConfigEntry<Boolean> ofBoolean(
      String key, boolean defaultValue, MayChange mayChange, String doc) {
    return new ConfigEntry<>(
        key,
        Boolean.class,
        String.valueOf(defaultValue),
        ConfigEntry::readBoolean,
        value -> true,
        "true or false",
        mayChange,
        doc);
  }

  static ConfigEntry<Integer> ofInt(
      String key, int defaultValue, int least, int most, MayChange mayChange, String doc) {
    return new ConfigEntry<>(
        key,
        Integer.class,
        String.valueOf(defaultValue),
        Integer::valueOf,
        value -> value >= least && value <= most,
        "a whole number from " + least + " to " + most,
        mayChange,
        doc);
  }

  static ConfigEntry<Long> ofLong(
      String key, long defaultValue, long least, long most, MayChange mayChange, String doc) {
    return new ConfigEntry<>(
        key,
        Long.class,
        String.valueOf(defaultValue),
        Long::valueOf,
        value -> value >= least && value <= most,
        "a whole number from " + least + " to " + most,
        mayChange,
        doc);
  }

  /** A size in bytes; all three sizes as a user writes them, such as {@code 64m}. */
  static ConfigEntry<Long> ofBytes(
      String key, String defaultText, String least, String most, MayChange mayChange, String doc) {
    long leastBytes = ByteSize.parse(least);
    long mostBytes = ByteSize.parse(most);
    return new ConfigEntry<>(
        key,
        Long.class,
        defaultText,
        ByteSize::parse,
        value -> value >= leastBytes && value <= mostBytes,
        "a size from " + least + " to " + most,
        mayChange,
        doc);
  }

  static <E extends Enum<E>> ConfigEntry<E> ofEnum(
      String key, E defaultValue, MayChange mayChange, String doc) {
    Class<E> type = defaultValue.getDeclaringClass();
    return new ConfigEntry<>(
        key,
        type,
        defaultValue.name(),
        text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)),
        value -> true,
        Arrays.stream(type.getEnumConstants())
            .map(Enum::name)
            .collect(Collectors.joining(", ", "one of ", "")),
        mayChange,
        doc);
  }

  /** The devices of an executor. */
  static ConfigEntry<DeviceList> ofDevices(
      String key, String defaultText, MayChange mayChange, String doc) {
    return new ConfigEntry<>(
        key,
        DeviceList.class,
        defaultText,
        DeviceList::parse,
        value -> true,
        DeviceList.ALLOWED,
        mayChange,
        doc);
  }

  /** A power of two. */
  static ConfigEntry<Integer> ofPowerOfTwo(
      String key, int defaultValue, int least, int most, MayChange mayChange, String doc) {
    return new ConfigEntry<>(
        key,
        Integer.class,
        String.valueOf(defaultValue),
        Integer::valueOf,
        value -> value >= least && value <= most && Integer.bitCount(value) == 1,
        "a power of two from " + least + " to " + most,
        mayChange,
        doc);
  }

  /** One of a few names; upper or lower case. */
  static ConfigEntry<String> ofName(
      String key, String defaultValue, List<String> names, MayChange mayChange, String doc) {
    return new ConfigEntry<>(
        key,
        String.class,
        defaultValue,
        text -> text.toLowerCase(Locale.ROOT),
        names::contains,
        "one of " + String.join(", ", names),
        mayChange,
        doc);
  }

  /**
   * A text that a pattern allows.
   *
   * @param allowed the pattern in words
   */
  static ConfigEntry<String> ofText(
      String key,
      String defaultValue,
      Predicate<String> check,
      String allowed,
      MayChange mayChange,
      String doc) {
    return new ConfigEntry<>(
        key, String.class, defaultValue, text -> text, check, allowed, mayChange, doc);
  }

  /** The full key, such as {@code spark.gpusched.batch.rows}. */
  public String key() {
    return key;
  }

  /** What a value is read as. */
  public Class<T> type() {
    return type;
  }

  /** The default as a user would write it. */
  public String defaultText() {
    return defaultText;
  }

  /** The value if the key is not set. */
  public T defaultValue() {
    return defaultValue;
  }

  /** The allowed values in words, such as {@code a whole number from 1 to 9}. */
  public String allowed() {
    return allowed;
  }

  /** From when on a change is seen. */
  public MayChange mayChange() {
    return mayChange;
  }

  /** What the key does: one sentence or two for the reference page. */
  public String doc() {
    return doc;
  }

  /**
   * Reads a given value. Blanks around it are ignored, and so is the case of words and units.
   *
   * @throws IllegalArgumentException if it is not allowed; one line that names the key, the value
   *     and what is allowed
   */
  public T parse(String text) {
    String trimmed = text.trim();
    T value;
    try {
      value = reader.apply(trimmed);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw notAllowed(text, e);
    }
    if (!check.test(value)) {
      throw notAllowed(text, null);
    }
    return value;
  }

  /**
   * The value in a configuration, or the default.
   *
   * @param lookup gives a key's text, or null if it is not set
   * @throws IllegalArgumentException as {@link #parse} does
   */
  public T read(Function<String, String> lookup) {
    String text = lookup.apply(key);
    return text == null ? defaultValue : parse(text);
  }

  @Override
  public String toString() {
    return key;
  }

  private IllegalArgumentException notAllowed(String text, RuntimeException cause) {
    return new IllegalArgumentException(
        key + "=" + quoted(text) + " is not allowed: give " + allowed, cause);
  }

  /** The text in quotes, on one line whatever is in it: a message must not break a log's lines. */
  static String quoted(String text) {
    return "'" + text.replaceAll("\\p{Cntrl}", "?") + "'";
  }

  private static Boolean readBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }
}
