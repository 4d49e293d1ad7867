/**
 * Cores of other executors as devices: {@link
 * io.github.sparkgpusched.device.remote.RemoteExecutors} is an executor's part in it, {@link
 * io.github.sparkgpusched.device.remote.Matchmaker} the driver's.
 */
package io.github.sparkgpusched.device.remote;
