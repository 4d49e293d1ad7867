/** The plugin's life: what Spark calls on the driver and on the executors. */
package io.github.sparkgpusched.plugin;
