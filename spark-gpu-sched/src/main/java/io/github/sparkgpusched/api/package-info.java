/**
 * What a UDF author implements and what an operator reads. Small and stable: nothing here knows
 * Spark's internals, the scheduler, or a kind of device.
 */
package io.github.sparkgpusched.api;
