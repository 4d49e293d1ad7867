package io.github.sparkgpusched.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;

/**
 * Has the advisor read a log of many gigabytes with a heap of 512 MB: queries of 800 tasks, one
 * after the other, of an application with 100 executors. The log is made up, and packed.
 *
 * <p>Usage: {@code AdviseMemory OUT_DIRECTORY [GIGABYTES]}. Status 1 if the advisor fails.
 */
public final class AdviseMemory {
  private static final String HEAP = "-Xmx512m";
  private static final int TASKS = 800;
  private static final int EXECUTORS = 100;
  private static final int CORES = 8;
  private static final int METRICS = 30;

  private final OutputStream out;
  private final SplittableRandom random = new SplittableRandom(1);
  private long bytes;
  private long now = 1_700_000_000_000L;

  private AdviseMemory(OutputStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    long wanted = (long) (1e9 * (args.length > 1 ? Double.parseDouble(args[1]) : 10));
    Path log = Path.of(args[0]).resolve("advise-memory.zstd");
    long begin = System.nanoTime();
    long bytes;
    try (OutputStream packed =
        CompressionCodec.createCodec(new SparkConf(false), "zstd")
            .compressedOutputStream(
                new BufferedOutputStream(Files.newOutputStream(log), 1 << 20))) {
      bytes = new AdviseMemory(packed).write(wanted);
    }
    System.out.printf(
        Locale.ROOT, "made %.2f GB in %.0f s%n", bytes / 1e9, (System.nanoTime() - begin) / 1e9);
    begin = System.nanoTime();
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    HEAP,
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.github.sparkgpusched.advise.Advise",
                    "--progress",
                    log.toString()))
            .inheritIO()
            .start();
    int status = process.waitFor();
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        Locale.ROOT, "read with %s in %.0f s, %.0f MB/s%n", HEAP, seconds, bytes / 1e6 / seconds);
    Files.delete(log);
    System.exit(status);
  }

  private long write(long wanted) throws IOException {
    line("{'Event':'SparkListenerLogStart','Spark Version':'4.2.0'}");
    line(
        "{'Event':'SparkListenerApplicationStart','App Name':'long','App ID':'app-1','Timestamp':"
            + now
            + "}");
    for (int i = 0; i < EXECUTORS; i++) {
      line(
          "{'Event':'SparkListenerExecutorAdded','Timestamp':"
              + now
              + ",'Executor ID':'"
              + i
              + "','Executor Info':{'Total Cores':"
              + CORES
              + "}}");
    }
    for (long id = 0; bytes < wanted; id++) {
      query(id);
    }
    line("{'Event':'SparkListenerApplicationEnd','Timestamp':" + now + "}");
    return bytes;
  }

  private void query(long id) throws IOException {
    String sql = "{'Event':'org.apache.spark.sql.execution.ui.SparkListenerSQLExecution";
    long metric = id * (METRICS + 1);
    line(
        sql
            + "Start','executionId':"
            + id
            + ",'description':'made','time':"
            + now
            + ",'physicalPlanDescription':'"
            + "a plan ".repeat(1_000)
            + "','sparkPlanInfo':{'nodeName':'Project','simpleString':'Project [mine(id#1L) AS"
            + " x#2]','metrics':[],'children':[{'nodeName':'Range','simpleString':'Range','children':[],'metrics':[{'name':'number"
            + " of output rows','accumulatorId':"
            + metric
            + "}]}]}}");
    line(
        "{'Event':'SparkListenerStageSubmitted','Stage Info':{'Stage ID':"
            + id
            + ",'Stage Attempt ID':0,'Stage Name':'made','Submission Time':"
            + now
            + "},'Properties':{'spark.sql.execution.id':'"
            + id
            + "'}}");
    long end = now;
    for (int i = 0; i < TASKS; i++) {
      long millis = random.nextInt(100) == 0 ? 20_000 : random.nextLong(500, 1_500);
      end = Math.max(end, now + millis);
      task(id, i, metric, millis);
    }
    now = end;
    line(
        "{'Event':'SparkListenerStageCompleted','Stage Info':{'Stage ID':"
            + id
            + ",'Stage Attempt ID':0,'Completion Time':"
            + now
            + "}}");
    line(sql + "End','executionId':" + id + ",'time':" + now + "}");
  }

  private void task(long stage, int index, long metric, long millis) throws IOException {
    StringBuilder text = new StringBuilder("{'Event':'SparkListenerTaskEnd','Stage ID':");
    text.append(stage).append(",'Stage Attempt ID':0,'Task End Reason':{'Reason':'Success'},");
    text.append("'Task Info':{'Launch Time':").append(now).append(",'Finish Time':");
    text.append(now + millis).append(",'Executor ID':'").append(index % EXECUTORS);
    text.append("','Accumulables':[");
    for (int i = 0; i < METRICS; i++) {
      text.append(i == 0 ? "" : ",").append("{'ID':").append(metric + i).append(",'Name':'");
      text.append(i == 0 ? "number of output rows" : "metric " + i).append("','Update':'");
      text.append(random.nextInt(10_000)).append("','Value':'").append(random.nextInt(1_000_000));
      text.append("','Internal':true,'Count Failed Values':true,'Metadata':'sql'}");
    }
    text.append("]},'Task Metrics':{'Executor Run Time':").append(millis);
    text.append(",'Executor CPU Time':").append(millis * 1_000_000).append("}}");
    line(text.toString());
  }

  private void line(String text) throws IOException {
    byte[] line = (text.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8);
    bytes += line.length;
    out.write(line);
  }
}
