/**
 * A cluster in virtual time: executors whose cores deal rows by the plugin's own dealers, and lend
 * each other cores by the plugin's own rules of who asks the driver what and when.
 */
package io.github.sparkgpusched.bench.simulate.cluster;
