/**
 * The way into Spark SQL: {@code plan} finds calls of GPU UDFs and pulls them out of operators,
 * {@code exec} computes them in the tasks.
 */
package io.github.sparkgpusched.sql;
