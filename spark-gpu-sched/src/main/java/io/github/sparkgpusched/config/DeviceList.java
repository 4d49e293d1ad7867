package io.github.sparkgpusched.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which devices an executor uses, as {@code spark.gpusched.devices} says. What an item of a kind
 * means, the kind alone knows. Immutable.
 *
 * @param auto all devices that the executor has of whatever kind, and its cores
 * @param host its cores
 * @param items the others that are named, in their order
 */
public record DeviceList(boolean auto, boolean host, List<Item> items) {
  /** What a list may be, in words. */
  public static final String ALLOWED =
      "auto, or a list of host, kind:* (all devices of a kind, such as cuda:* for all GPUs), kind:"
          + " with names or numbers (cuda:0,2), and UUIDs of GPUs or MIG instances (GPU-…, MIG-…)";

  /** Stands for all devices of a kind. */
  public static final String ALL = "*";

  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_-]*");

  private static final Pattern NAME = Pattern.compile("[^\\s:]+");

  /** As vendors' tools print them: the word before it tells the kind. */
  private static final Pattern UUID =
      Pattern.compile("(?i)[a-z]+-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /**
   * One device, or all of a kind.
   *
   * @param kind the word before the colon, in lower case; empty for a UUID, which stands alone
   * @param name what the kind calls the device, or {@link #ALL}
   */
  public record Item(String kind, String name) {
    @Override
    public String toString() {
      return kind.isEmpty() ? name : kind + ":" + name;
    }
  }

  public DeviceList {
    items = List.copyOf(items);
  }

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException if it is not one, or names something twice
   */
  public static DeviceList parse(String text) {
    if (text.trim().equalsIgnoreCase("auto")) {
      return new DeviceList(true, false, List.of());
    }
    boolean host = false;
    String kind = "";
    List<Item> items = new ArrayList<>();
    for (String untrimmed : text.split(",", -1)) {
      String item = untrimmed.trim();
      int colon = item.indexOf(':');
      if (item.equalsIgnoreCase("host")) {
        if (host) {
          throw new IllegalArgumentException("'host' stands there twice");
        }
        host = true;
        kind = "";
        continue;
      }
      if (colon >= 0) {
        kind = item.substring(0, colon).toLowerCase(Locale.ROOT);
      }
      String name = item.substring(colon + 1);
      boolean alone = colon < 0 && UUID.matcher(name).matches();
      if (!alone && !(KIND.matcher(kind).matches() && NAME.matcher(name).matches())) {
        throw new IllegalArgumentException("'" + item + "' is no device");
      }
      addOnce(items, new Item(alone ? "" : kind, name));
    }
    return new DeviceList(false, host, items);
  }

  private static void addOnce(List<Item> items, Item item) {
    for (Item other : items) {
      if (other.toString().equalsIgnoreCase(item.toString())) {
        throw new IllegalArgumentException("'" + item + "' stands there twice");
      }
      if (other.kind().equals(item.kind())
          && (other.name().equals(ALL) || item.name().equals(ALL))) {
        throw new IllegalArgumentException(item.kind() + ":* already has all others");
      }
    }
    items.add(item);
  }

  /** The list as text, which {@link #parse} reads. */
  public String text() {
    if (auto) {
      return "auto";
    }
    String names = items.stream().map(Item::toString).collect(Collectors.joining(","));
    return host ? "host" + (names.isEmpty() ? "" : ",") + names : names;
  }

  /** Whether the executor's cores are among the devices. */
  public boolean withHost() {
    return auto || host;
  }
}
