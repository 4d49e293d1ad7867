/**
 * Strategies of others, and what came before ours: what the benchmarks compare the plugin's with.
 * {@link io.github.sparkgpusched.bench.rivals.Rivals} has them by name.
 */
package io.github.sparkgpusched.bench.rivals;
