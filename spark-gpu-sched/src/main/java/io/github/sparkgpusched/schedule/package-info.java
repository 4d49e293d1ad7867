/**
 * Shares the rows of jobs among the devices of one executor. {@link
 * io.github.sparkgpusched.schedule.Scheduler} is the way in and holds the design; it knows neither
 * Spark nor any kind of device.
 */
package io.github.sparkgpusched.schedule;
