/**
 * Which jobs profit: reads event logs of applications that never had the plugin, and says what
 * balancing would save. Runs without a Spark session.
 */
package io.github.sparkgpusched.advise;
