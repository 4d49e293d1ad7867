package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.RapidsPlugin;
import java.util.Optional;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The GPU that the RAPIDS Accelerator owns on an executor, as the load table names it. */
final class RapidsDevice {
  private static final Logger LOG = LoggerFactory.getLogger(RapidsDevice.class);

  private RapidsDevice() {}

  /** Its name, with a line in the log that says who computes where; empty if there is none. */
  static Optional<String> name(PluginContext context, GpuSchedConfig config, int ownDevices) {
    if (!RapidsPlugin.ownsGpu(context.conf()::get)) {
      return Optional.empty();
    }
    ResourceInformation assigned = context.resources().get(config.get(DeviceKeys.DEVICES_RESOURCE));
    // Where Spark assigns none, the Accelerator takes the first.
    String address =
        assigned == null || assigned.addresses().length == 0 ? "0" : assigned.addresses()[0];
    String name = "rapids:" + address;
    LOG.info(
        "RAPIDS owns GPU {}: UDFs that it plans are computed there, as {}; all others by the cores{}",
        address,
        name,
        ownDevices == 0 ? "" : ", and devices of this plugin (" + ownDevices + ")");
    return Optional.of(name);
  }
}
