package io.github.sparkgpusched.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which devices an executor uses, as {@code spark.gpusched.devices} says. Immutable.
 *
 * @param auto all GPUs that the executor has, and its cores
 * @param host its cores
 * @param allCuda all GPUs that it has
 * @param indexes GPUs by number
 * @param uuids GPUs and MIG instances by UUID, as nvidia-smi prints them
 */
public record DeviceList(
    boolean auto, boolean host, boolean allCuda, List<Integer> indexes, List<String> uuids) {
  /** What a list may be, in words. */
  public static final String ALLOWED =
      "auto, or a list of host, cuda:* (all GPUs), cuda: with numbers (cuda:0,2), and UUIDs of GPUs"
          + " or MIG instances (GPU-…, MIG-…)";

  private static final Pattern UUID =
      Pattern.compile("(?i)(gpu|mig)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

  public DeviceList {
    indexes = List.copyOf(indexes);
    uuids = List.copyOf(uuids);
  }

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException if it is not one, or names something twice
   */
  public static DeviceList parse(String text) {
    boolean host = false;
    boolean allCuda = false;
    boolean afterCuda = false;
    List<Integer> indexes = new ArrayList<>();
    List<String> uuids = new ArrayList<>();
    String[] items = text.toLowerCase(Locale.ROOT).split(",", -1);
    if (items.length == 1 && items[0].trim().equals("auto")) {
      return new DeviceList(true, false, false, indexes, uuids);
    }
    for (String untrimmed : items) {
      String item = untrimmed.trim();
      boolean cuda = item.startsWith("cuda:");
      String what = cuda ? item.substring("cuda:".length()) : item;
      if (item.equals("host") && !host) {
        host = true;
      } else if (cuda && what.equals("*") && !allCuda) {
        allCuda = true;
      } else if ((cuda || afterCuda) && NUMBER.matcher(what).matches()) {
        addOnce(indexes, Integer.valueOf(what));
      } else if (UUID.matcher(what).matches()) {
        addOnce(uuids, what);
      } else {
        throw new IllegalArgumentException("'" + item + "' is no device, or stands there twice");
      }
      afterCuda = cuda || (afterCuda && !item.equals("host"));
    }
    if (allCuda && !(indexes.isEmpty() && uuids.isEmpty())) {
      throw new IllegalArgumentException("cuda:* already has all others");
    }
    return new DeviceList(false, host, allCuda, indexes, uuids);
  }

  private static <T> void addOnce(List<T> list, T item) {
    if (list.contains(item)) {
      throw new IllegalArgumentException("'" + item + "' stands there twice");
    }
    list.add(item);
  }

  /** The list as text, which {@link #parse} reads. */
  public String text() {
    if (auto) {
      return "auto";
    }
    List<String> items = new ArrayList<>();
    if (host) {
      items.add("host");
    }
    if (allCuda) {
      items.add("cuda:*");
    }
    indexes.forEach(index -> items.add("cuda:" + index));
    items.addAll(uuids);
    return String.join(",", items);
  }

  /** Whether the executor's cores are among the devices. */
  public boolean withHost() {
    return auto || host;
  }

  /** Whether GPUs are to be looked for. */
  public boolean mayHaveCuda() {
    return auto || allCuda || !indexes.isEmpty() || !uuids.isEmpty();
  }
}
