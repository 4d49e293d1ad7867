package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.DeviceEvent;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * In the event log: something happened to a device.
 *
 * @param version of this class' components; 1
 */
public record GpuSchedDeviceEvent(int version, DeviceEvent event) implements SparkListenerEvent {}
