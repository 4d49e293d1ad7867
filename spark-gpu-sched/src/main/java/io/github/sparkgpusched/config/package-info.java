/**
 * The registry of the plugin's configuration keys: one place that knows each key's type, default
 * and allowed values. Depends on the JDK alone, so that the driver, an executor and a tool read the
 * same rules.
 */
package io.github.sparkgpusched.config;
