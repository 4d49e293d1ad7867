package io.github.sparkgpusched.config;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One configuration key: its type, default, allowed values, meaning, and when it may change.
 * Immutable. {@link KeyBuilder} makes them.
 *
 * @param <T> what a value is read as; sizes are {@link Long}s in bytes
 */
public final class ConfigEntry<T> {
  /** Of a text that a user gave, in a message. */
  private static final int MOST_CHARS = 200;

  private final String key;
  private final String formerKey;
  private final String doc;
  private final Reader<T> reader;
  private final ConfigEntry<Integer> below;
  private final String defaultText;
  private final T defaultValue;
  private final MayChange mayChange;

  /**
   * How text becomes a value.
   *
   * @param read makes a value of trimmed text; an {@link IllegalArgumentException} or {@link
   *     ArithmeticException} of it means that the text is not a value of this type
   * @param check whether a value is allowed
   * @param allowed the allowed values in words
   * @param noLonger what became of values that were allowed in earlier versions, by value
   */
  record Reader<T>(
      Class<T> type,
      Function<String, T> read,
      Predicate<T> check,
      String allowed,
      Map<T, String> noLonger) {}

  /**
   * Makes an entry.
   *
   * @param formerKey its name in earlier versions, or null
   * @param below the key whose value its own must be above, or null
   */
  ConfigEntry(
      String key,
      String formerKey,
      String doc,
      Reader<T> reader,
      ConfigEntry<Integer> below,
      String defaultText,
      MayChange mayChange) {
    this.key = Objects.requireNonNull(key, "key");
    this.formerKey = formerKey;
    this.doc = Objects.requireNonNull(doc, "doc");
    this.reader = Objects.requireNonNull(reader, "reader");
    this.below = below;
    this.mayChange = Objects.requireNonNull(mayChange, "mayChange");
    this.defaultText = Objects.requireNonNull(defaultText, "defaultText");
    // The default goes the way of every value: one outside its own range cannot be declared.
    this.defaultValue = parse(defaultText);
  }

  /** The full key, such as {@code spark.gpusched.batch.rows}. */
  public String key() {
    return key;
  }

  /** The full key in earlier versions, which is refused now. */
  Optional<String> formerKey() {
    return Optional.ofNullable(formerKey);
  }

  /** What a value is read as. */
  public Class<T> type() {
    return reader.type;
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
    return reader.allowed;
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
      value = reader.read.apply(trimmed);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw notAllowed(text, "", e);
    }
    if (!reader.check.test(value)) {
      String noLonger = reader.noLonger.get(value);
      throw notAllowed(text, noLonger == null ? "" : "; " + noLonger, null);
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

  /**
   * Refuses values that do not fit each other.
   *
   * @param lookup gives a key's text, or null if it is not set
   * @throws IllegalArgumentException if the value is not above the one that it must be above
   */
  void checkBeside(Function<String, String> lookup) {
    if (below == null) {
      return;
    }
    int least = below.read(lookup);
    int value = Integer.class.cast(read(lookup));
    if (value <= least) {
      throw new IllegalArgumentException(
          key
              + "='"
              + value
              + "' is not allowed: it must be above "
              + below
              + ", which is "
              + least);
    }
  }

  @Override
  public String toString() {
    return key;
  }

  private IllegalArgumentException notAllowed(String text, String more, RuntimeException cause) {
    return new IllegalArgumentException(
        key + "=" + quoted(text) + " is not allowed: give " + allowed() + more, cause);
  }

  /** The text in quotes, as {@link #shown}. */
  static String quoted(String text) {
    return "'" + shown(text) + "'";
  }

  /**
   * The text, or how it begins, on one line whatever is in it: a message must not break a log's
   * lines, turn the direction in which they are read, or fill it.
   */
  static String shown(String text) {
    String begin = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
    return begin.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "?");
  }
}
