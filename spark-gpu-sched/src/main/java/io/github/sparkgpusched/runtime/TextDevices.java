package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.TextLanguage;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What an executor tells the driver when it starts: which of its devices can be given functions as
 * text. Immutable.
 *
 * @param executorId Spark's id of the executor
 * @param devices the language of each that can, by the device's name
 */
public record TextDevices(String executorId, Map<String, TextLanguage> devices)
    implements Serializable {
  public TextDevices {
    Objects.requireNonNull(executorId, "executorId");
    devices = Map.copyOf(devices);
  }

  /** Those of an executor's devices; asking them may take as long as looking for a compiler. */
  public static TextDevices of(String executorId, List<CallDevice> all) {
    Map<String, TextLanguage> devices = new TreeMap<>();
    for (CallDevice device : all) {
      device.texts().ifPresent(language -> devices.put(device.name(), language));
    }
    return new TextDevices(executorId, devices);
  }
}
