/**
 * All that differs between the versions of Spark that one jar runs on. Each class names the change
 * of Spark that made it necessary, and goes when no supported version needs it. Depends on Spark
 * alone. {@code integration-tests/compat} finds what is missing here: it resolves each reference of
 * the jar in each version's jars.
 */
package io.github.sparkgpusched.shims;
