package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class ExecutorCoresTest {
  private static final int HOST = Runtime.getRuntime().availableProcessors();
  private static final String BACKEND =
      "org.apache.spark.executor.CoarseGrainedExecutorBackend --executor-id 0";

  private static SparkConf conf(String master) {
    return new SparkConf(false).set("spark.master", master);
  }

  @Test
  void ofLocalModeAreItsThreads() {
    assertEquals(1, ExecutorCores.of(conf("local"), ""));
    assertEquals(3, ExecutorCores.of(conf("local[3]"), ""));
    assertEquals(5, ExecutorCores.of(conf("local[ 5 , 2]"), ""));
    assertEquals(HOST, ExecutorCores.of(conf("local[*]"), ""));
    assertEquals(HOST, ExecutorCores.of(conf("local[*, 4]"), ""));
  }

  @Test
  void ofAnExecutorAreWhatItWasStartedWith() {
    SparkConf conf = conf("spark://host:7077").set("spark.executor.cores", "2");
    assertEquals(7, ExecutorCores.of(conf, BACKEND + " --cores 7 --app-id app-1"));
    assertEquals(7, ExecutorCores.of(conf("local-cluster[2,7,512]"), BACKEND + " --cores 7"));
  }

  @Test
  void whereTheCommandDoesNotSayTheConfigurationDoes() {
    SparkConf conf = conf("spark://host:7077");
    assertEquals(HOST, ExecutorCores.of(conf, "other.Main"));
    assertEquals(2, ExecutorCores.of(conf.set("spark.executor.cores", "2"), "other.Main"));
  }
}
