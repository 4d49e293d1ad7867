package io.github.sparkgpusched.it.cluster;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the tests of one JVM one cluster of two workers, started for the first and closed after the
 * last.
 */
final class SharedCluster implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == StandaloneCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // The store closes what it holds when all tests are done, however they ended.
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
        .getOrComputeIfAbsent(
            StandaloneCluster.class,
            type -> StandaloneCluster.start("shared-" + System.getProperty("test.fork", "1"), 2),
            StandaloneCluster.class);
  }
}
