/**
 * What a kind of device implements, {@link io.github.sparkgpusched.device.DeviceKind} and {@link
 * io.github.sparkgpusched.device.CallDevice}, and a package for each kind that comes with the
 * plugin. The scheduler and SQL know none of them. The cores, in {@code host}, are no such kind.
 */
package io.github.sparkgpusched.device;
