package io.github.sparkgpusched.advise;

import java.util.Locale;

/** A log of one query with one stage, made up: times are what a test says. */
final class MadeLog {
  private static final long BEGIN = 1_700_000_000_000L;

  private MadeLog() {}

  /** An executor of so many cores, and tasks of so many milliseconds, with so many rows each. */
  static String of(int cores, long rows, long... taskMillis) {
    StringBuilder log = new StringBuilder();
    add(log, "{'Event':'SparkListenerLogStart','Spark Version':'4.2.0'}");
    add(
        log,
        "{'Event':'SparkListenerApplicationStart','App Name':'made','App"
            + " ID':'app-1','Timestamp':%d}",
        BEGIN);
    add(
        log,
        "{'Event':'SparkListenerExecutorAdded','Timestamp':%d,'Executor ID':'1','Executor"
            + " Info':{'Total Cores':%d}}",
        BEGIN,
        cores);
    add(
        log,
        "{'Event':'org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart','executionId':0,"
            + "'description':'made','time':%d,'sparkPlanInfo':{'nodeName':'Project','simpleString':'Project"
            + " [mine(id#1L) AS"
            + " x#2]','metrics':[],'children':[{'nodeName':'Range','simpleString':'Range (0,"
            + " 9)','children':[],'metrics':[{'name':'number of output"
            + " rows','accumulatorId':7}]}]}}",
        BEGIN);
    add(
        log,
        "{'Event':'SparkListenerStageSubmitted','Stage Info':{'Stage ID':0,'Stage Attempt"
            + " ID':0,'Stage Name':'made','Submission"
            + " Time':%d},'Properties':{'spark.sql.execution.id':'0'}}",
        BEGIN);
    long[] free = new long[cores];
    long end = 0;
    for (long millis : taskMillis) {
      int core = 0;
      for (int i = 0; i < cores; i++) {
        core = free[i] < free[core] ? i : core;
      }
      add(
          log,
          "{'Event':'SparkListenerTaskEnd','Stage ID':0,'Stage Attempt ID':0,'Task End"
              + " Reason':{'Reason':'Success'},'Task Info':{'Launch Time':%d,'Finish"
              + " Time':%d,'Executor ID':'1','Accumulables':[{'ID':7,'Name':'number of output"
              + " rows','Update':'%d'}]},'Task Metrics':{'Executor Run Time':%d,'Executor CPU"
              + " Time':%d}}",
          BEGIN + free[core],
          BEGIN + free[core] + millis,
          rows,
          millis,
          millis * 1_000_000);
      free[core] += millis;
      end = Math.max(end, free[core]);
    }
    add(
        log,
        "{'Event':'SparkListenerStageCompleted','Stage Info':{'Stage ID':0,'Stage Attempt"
            + " ID':0,'Completion Time':%d}}",
        BEGIN + end);
    add(
        log,
        "{'Event':'org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd','executionId':0,'time':%d}",
        BEGIN + end);
    add(log, "{'Event':'SparkListenerApplicationEnd','Timestamp':%d}", BEGIN + end);
    return log.toString();
  }

  private static void add(StringBuilder log, String line, Object... values) {
    log.append(String.format(Locale.ROOT, line.replace('\'', '"'), values)).append('\n');
  }
}
