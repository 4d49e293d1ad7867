package io.github.sparkgpusched.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All keys of the plugin, and a snapshot of their values. Immutable: a snapshot does not see later
 * changes, so take one at the start for {@link MayChange#AT_START} keys and one a query for {@link
 * MayChange#PER_QUERY} keys.
 */
public final class GpuSchedConfig {
  /** What every key of the plugin begins with. */
  public static final String PREFIX = "spark.gpusched.";

  private static final List<KeyGroup> GROUPS =
      List.of(
          QueryKeys.KEYS,
          StrategyKeys.KEYS,
          DeviceKeys.KEYS,
          RemoteKeys.KEYS,
          CudaKeys.KEYS,
          CudaBlockKeys.KEYS,
          UiKeys.KEYS);

  private static final Map<String, ConfigEntry<?>> BY_KEY =
      GROUPS.stream()
          .flatMap(group -> group.entries().stream())
          .collect(
              Collectors.toMap(
                  ConfigEntry::key,
                  Function.identity(),
                  (a, b) -> {
                    throw new IllegalStateException("two entries for " + a);
                  },
                  LinkedHashMap::new));

  /** The entries by what may be meant: their keys, and those that they had before. */
  private static final Map<String, ConfigEntry<?>> BY_ANY_KEY = withFormerKeys();

  /** Why keys of earlier versions are gone, by key. */
  private static final Map<String, String> REMOVED =
      GROUPS.stream()
          .flatMap(group -> group.removed().entrySet().stream())
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final Map<String, Object> values;

  private GpuSchedConfig(Map<String, Object> values) {
    this.values = values;
  }

  /** All entries, in the order of the reference page. */
  public static List<ConfigEntry<?>> entries() {
    return List.copyOf(BY_KEY.values());
  }

  /** Whether a key is the plugin's to judge: all below its prefix, and the prefix alone. */
  public static boolean isOurs(String key) {
    return key.startsWith(PREFIX) || (key + ".").equals(PREFIX);
  }

  /**
   * The entry of a key.
   *
   * @param value what it is set to, for the message
   * @throws IllegalArgumentException if there is none; one line with the nearest key that there is,
   *     or with what became of one that there was
   */
  public static ConfigEntry<?> entry(String key, String value) {
    ConfigEntry<?> entry = BY_KEY.get(key);
    if (entry != null) {
      return entry;
    }
    String given = ConfigEntry.shown(key) + "=" + ConfigEntry.quoted(value);
    if (REMOVED.containsKey(key)) {
      throw new IllegalArgumentException(given + " is not a key any more: " + REMOVED.get(key));
    }
    ConfigEntry<?> renamed = BY_ANY_KEY.get(key);
    throw new IllegalArgumentException(
        renamed != null
            ? given + " is not a key any more: its name is now " + renamed
            : given
                + " is not a known key: did you mean "
                + BY_ANY_KEY.get(NearestKey.of(key, BY_ANY_KEY.keySet()))
                + "?");
  }

  /**
   * A snapshot of a configuration.
   *
   * @param lookup gives a key's text, or null if it is not set; called once a key, during this call
   * @throws IllegalArgumentException if a value is not allowed, as {@link ConfigEntry#parse} words
   *     it
   */
  public static GpuSchedConfig from(Function<String, String> lookup) {
    return new GpuSchedConfig(
        BY_KEY.values().stream()
            .collect(Collectors.toUnmodifiableMap(ConfigEntry::key, entry -> entry.read(lookup))));
  }

  /** The same of a map; keys that are not the plugin's are ignored, and so are unknown ones. */
  public static GpuSchedConfig from(Map<String, String> all) {
    return from(all::get);
  }

  /** The value of an entry. Never null. */
  public <T> T get(ConfigEntry<T> entry) {
    return entry.type().cast(values.get(entry.key()));
  }

  /**
   * Refuses a configuration with an unknown key or a value that is not allowed. Keys of others are
   * ignored.
   *
   * @param all every setting, as {@code SparkConf.getAll} has them
   * @throws IllegalArgumentException one line about the first wrong key in alphabetical order: its
   *     value and what is allowed, or for an unknown key the nearest known one
   */
  public static void validate(Map<String, String> all) {
    // Sorted: of several errors the same one is told each time.
    TreeMap<String, String> ours = new TreeMap<>();
    all.forEach(
        (key, value) -> {
          if (isOurs(key)) {
            ours.put(key, value);
          }
        });
    if (ours.isEmpty()) {
      return;
    }
    ours.forEach((key, value) -> entry(key, value).parse(value));
    BY_KEY.values().forEach(entry -> entry.checkBeside(all::get));
  }

  private static Map<String, ConfigEntry<?>> withFormerKeys() {
    Map<String, ConfigEntry<?>> all = new LinkedHashMap<>(BY_KEY);
    for (ConfigEntry<?> entry : BY_KEY.values()) {
      entry
          .formerKey()
          .ifPresent(
              former -> {
                if (all.put(former, entry) != null) {
                  throw new IllegalStateException(former + " was, or is, another key too");
                }
              });
    }
    return Collections.unmodifiableMap(all);
  }
}
