package io.github.sparkgpusched.jobs;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Where a job reads. */
final class Inputs {
  private Inputs() {}

  /**
   * The Parquet that a flag names, in any file system that Spark reads.
   *
   * @throws BadArgumentsException if it is not there
   */
  static Dataset<Row> parquet(SparkSession spark, Options options, Flag flag) throws IOException {
    Path path = new Path(options.text(flag));
    if (!path.getFileSystem(spark.sparkContext().hadoopConfiguration()).exists(path)) {
      throw new BadArgumentsException(flag.name() + " '" + path + "' is not there");
    }
    return spark.read().parquet(path.toString());
  }
}
