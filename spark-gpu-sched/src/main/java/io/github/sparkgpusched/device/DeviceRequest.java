package io.github.sparkgpusched.device;

import io.github.sparkgpusched.config.DeviceList;
import io.github.sparkgpusched.config.GpuSchedConfig;
import java.util.List;
import java.util.Map;

/**
 * Which devices of one kind an executor is to use. Immutable.
 *
 * @param devices the whole list, for messages
 * @param names this kind's items of it, as {@link DeviceKind#check} has seen them; empty if the
 *     list is {@code auto}: then whatever is there
 * @param config the plugin's keys
 * @param resources addresses that Spark assigned to this executor, by the resource's name; none in
 *     local mode
 * @param spark Spark's whole configuration, in which kinds of devices have keys of their own
 */
public record DeviceRequest(
    DeviceList devices,
    List<String> names,
    GpuSchedConfig config,
    Map<String, List<String>> resources,
    Map<String, String> spark) {
  public DeviceRequest {
    names = List.copyOf(names);
    resources = Map.copyOf(resources);
    spark = Map.copyOf(spark);
  }
}
