/**
 * Jobs as a user of the plugin would write them, each with a {@code main} for {@code spark-submit}.
 * Each runs one query twice, with the plugin and as plain Spark, compares the answers, and reports
 * both times.
 */
package io.github.sparkgpusched.jobs;
