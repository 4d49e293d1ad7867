/**
 * The kinds of devices that compute ranges of rows, one package a kind. They implement {@link
 * io.github.sparkgpusched.schedule.Device}; the scheduler knows none of them.
 */
package io.github.sparkgpusched.device;
