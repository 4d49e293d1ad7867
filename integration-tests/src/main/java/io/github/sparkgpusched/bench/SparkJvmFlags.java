package io.github.sparkgpusched.bench;

import org.apache.spark.launcher.JavaModuleOptions;

/** Prints the JVM flags that Spark's own launcher passes. */
public final class SparkJvmFlags {
  private SparkJvmFlags() {}

  public static void main(String[] args) {
    System.out.println(JavaModuleOptions.defaultModuleOptions());
  }
}
