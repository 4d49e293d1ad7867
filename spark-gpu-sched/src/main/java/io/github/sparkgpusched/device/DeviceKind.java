package io.github.sparkgpusched.device;

import io.github.sparkgpusched.config.DeviceList;
import java.util.List;

/**
 * A kind of device: finds the devices of an executor that are of this kind. One class for each
 * kind, with a constructor without parameters, made once on the driver and once on each executor as
 * the plugin starts; it is found by its name in {@code
 * META-INF/services/io.github.sparkgpusched.device.DeviceKind}, beside the plugin or in a jar of
 * {@code --jars}. Called by one thread.
 */
public interface DeviceKind {
  /**
   * What its items in {@code spark.gpusched.devices}, and the names of its devices, begin with,
   * before a colon: a word in lower case such as {@code cuda}, which no other kind has.
   */
  String name();

  /**
   * True for the UUID of a device of this kind, which stands in the list without the kind's name.
   */
  default boolean claims(String uuid) {
    return false;
  }

  /**
   * Looks at this kind's items of the list, on the driver, where the devices need not be.
   *
   * @param names what stands behind the colon, or {@link DeviceList#ALL}, or a UUID; not empty
   * @throws IllegalArgumentException if one of them can name no device; says which, and what can
   */
  void check(List<String> names);

  /**
   * The devices that the request selects, not opened yet; each name is this kind's, a colon, and
   * what tells it from the executor's others. Called on an executor as it starts.
   *
   * @throws IllegalStateException if the request names a device that is not there; says which are
   */
  List<? extends CallDevice> find(DeviceRequest request);
}
