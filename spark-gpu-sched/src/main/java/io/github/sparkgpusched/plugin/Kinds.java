package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.device.DeviceKinds;
import io.github.sparkgpusched.device.cuda.CudaKind;
import java.util.List;

/** The kinds of devices: the plugin's own, and those that other jars bring. */
final class Kinds {
  private Kinds() {}

  /**
   * All of them.
   *
   * @throws IllegalStateException if one cannot be loaded
   */
  static DeviceKinds all() {
    ClassLoader own = Kinds.class.getClassLoader();
    ClassLoader jars = Thread.currentThread().getContextClassLoader();
    return DeviceKinds.load(
        List.of(new CudaKind()), jars == null || jars == own ? List.of(own) : List.of(own, jars));
  }
}
