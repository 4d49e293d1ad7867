package io.github.sparkgpusched.device.pipe;

import java.util.Map;

/**
 * What goes wrong with pipes, from Spark's configuration. Immutable.
 *
 * @param delayMillis how long the process sleeps before it computes a block
 * @param dropEvery of so many replies the last is lost; 0 for none
 * @param dieEvery of so many blocks the last is the end of the process; 0 for none
 * @param replyMillis how long a reply may take
 * @param recovers whether a process that has failed is started again
 */
record PipeSettings(
    int delayMillis, int dropEvery, int dieEvery, int replyMillis, boolean recovers) {
  static final PipeSettings RELIABLE = new PipeSettings(1, 0, 0, 20_000, false);

  static PipeSettings of(Map<String, String> spark) {
    return new PipeSettings(
        Integer.parseInt(spark.getOrDefault("spark.pipe.delayMillis", "1")),
        Integer.parseInt(spark.getOrDefault("spark.pipe.dropEvery", "0")),
        Integer.parseInt(spark.getOrDefault("spark.pipe.dieEvery", "0")),
        Integer.parseInt(spark.getOrDefault("spark.pipe.replyMillis", "20000")),
        Boolean.parseBoolean(spark.getOrDefault("spark.pipe.recovers", "false")));
  }
}
