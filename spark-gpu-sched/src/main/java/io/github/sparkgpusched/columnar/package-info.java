/**
 * Batches of rows as off-heap columns: from Spark's rows and vectors, and back, with every byte
 * accounted to the task.
 *
 * <p>A fixed-width column is an array of values and an array of validity <em>bytes</em> (1 =
 * valid), so that threads that write neighbouring rows never share a word. A variable-width column
 * holds an (address, size) pair per row; strings and binaries are their bytes, arrays are in
 * Spark's {@code UnsafeArrayData} format. The bytes may lie anywhere off-heap: in a {@link
 * io.github.sparkgpusched.columnar.RowStore} they are never copied a second time.
 */
package io.github.sparkgpusched.columnar;
