package io.github.sparkgpusched.device;

import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.DeviceList;
import io.github.sparkgpusched.config.GpuSchedConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The kinds of devices that this process knows. Immutable. */
public final class DeviceKinds {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]*");

  /** What the cores are called, which are no kind. */
  private static final String HOST = "host";

  /** By name. */
  private final Map<String, DeviceKind> kinds = new TreeMap<>();

  /**
   * These kinds.
   *
   * @throws IllegalStateException if one has no proper name, or the name of another
   */
  public DeviceKinds(List<? extends DeviceKind> all) {
    for (DeviceKind kind : all) {
      if (!NAME.matcher(kind.name()).matches() || kind.name().equals(HOST)) {
        throw new IllegalStateException(
            "'"
                + kind.name()
                + "' cannot be the name of the kind of device "
                + kind.getClass().getName()
                + ": give a word in lower case, and not host");
      }
      DeviceKind other = kinds.put(kind.name(), kind);
      if (other != null) {
        throw new IllegalStateException(
            "two kinds of devices are called '"
                + kind.name()
                + "': "
                + other.getClass().getName()
                + " and "
                + kind.getClass().getName());
      }
    }
  }

  /**
   * The kinds given, and those that other jars bring.
   *
   * @param known which are there whatever the jars say, so that a jar that was put together without
   *     its service files still has them
   * @param loaders where to look: the plugin's own, and that of {@code --jars}, which is another
   *     where the plugin is beside Spark's jars
   * @throws IllegalStateException if one cannot be loaded
   */
  public static DeviceKinds load(List<? extends DeviceKind> known, List<ClassLoader> loaders) {
    Map<String, DeviceKind> byClass = new TreeMap<>();
    known.forEach(kind -> byClass.put(kind.getClass().getName(), kind));
    try {
      for (ClassLoader loader : loaders) {
        for (DeviceKind kind : ServiceLoader.load(DeviceKind.class, loader)) {
          byClass.putIfAbsent(kind.getClass().getName(), kind);
        }
      }
    } catch (ServiceConfigurationError e) {
      throw new IllegalStateException("a kind of device cannot be loaded: " + e.getMessage(), e);
    }
    return new DeviceKinds(new ArrayList<>(byClass.values()));
  }

  /**
   * Looks at what the configuration says, without looking for devices.
   *
   * @throws IllegalArgumentException if an item can name no device of any kind; one line that names
   *     the key, the value and what is allowed
   */
  public void check(DeviceList devices) {
    try {
      for (DeviceList.Item item : devices.items()) {
        if (kinds.values().stream().noneMatch(kind -> isOf(kind, item))) {
          throw new IllegalArgumentException(
              "no kind of device has '"
                  + item
                  + "'; the kinds are host and "
                  + String.join(", ", kinds.keySet())
                  + ", and another's jar must be among --jars");
        }
      }
      for (DeviceKind kind : kinds.values()) {
        List<String> names = names(kind, devices);
        if (!names.isEmpty()) {
          kind.check(names);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          DeviceKeys.DEVICES.key() + "='" + devices.text() + "' is not allowed: " + e.getMessage(),
          e);
    }
  }

  private static boolean isOf(DeviceKind kind, DeviceList.Item item) {
    return item.kind().isEmpty() ? kind.claims(item.name()) : item.kind().equals(kind.name());
  }

  /** What a list has of a kind. */
  public static List<String> names(DeviceKind kind, DeviceList devices) {
    return devices.items().stream()
        .filter(item -> isOf(kind, item))
        .map(DeviceList.Item::name)
        .toList();
  }

  /**
   * The devices that an executor is to use, without its cores; none of them is opened yet.
   *
   * @param resources addresses that Spark assigned to it, by the resource's name
   * @param spark Spark's whole configuration
   * @throws IllegalArgumentException as {@link #check} does
   * @throws IllegalStateException if one that is named is not there, or a kind fails to look
   */
  public List<CallDevice> find(
      GpuSchedConfig config, Map<String, List<String>> resources, Map<String, String> spark) {
    DeviceList devices = config.get(DeviceKeys.DEVICES);
    check(devices);
    List<CallDevice> found = new ArrayList<>();
    for (DeviceKind kind : kinds.values()) {
      List<String> names = names(kind, devices);
      if (devices.auto() || !names.isEmpty()) {
        DeviceRequest request = new DeviceRequest(devices, names, config, resources, spark);
        for (CallDevice device : find(kind, request)) {
          if (!device.name().startsWith(kind.name() + ":")) {
            throw new IllegalStateException(
                "the kind of device '"
                    + kind.name()
                    + "' ("
                    + kind.getClass().getName()
                    + ") gave a device the name '"
                    + device.name()
                    + "', which must begin with '"
                    + kind.name()
                    + ":'");
          }
          found.add(device);
        }
      }
    }
    return found;
  }

  /** A kind may be anybody's, and need libraries of its own. */
  private static List<? extends CallDevice> find(DeviceKind kind, DeviceRequest request) {
    try {
      return kind.find(request);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw e; // in the kind's own words
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "the kind of device '"
              + kind.name()
              + "' ("
              + kind.getClass().getName()
              + ") failed as it looked for its devices: "
              + e,
          e);
    }
  }
}
