package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.Work;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Made-up loads of each kind, and those of which nothing is to be said. */
class DiagnosisTest {
  private static final long T0 = 1_700_000_000_000L;

  private final ApplicationLoad load =
      new ApplicationLoad(new ApplicationLoad.Limits(10, 100, 100, 100));

  private static DeviceLoad device(String name, long rows, long busyMillis, long tried, long won) {
    return Reports.device(name, rows, busyMillis).toBuilder()
        .stealRequests(tried)
        .steals(won)
        .build();
  }

  private void report(String executor, int processors, DeviceLoad... devices) {
    load.update(
        ExecutorLoad.builder(executor)
            .timeMillis(T0)
            .processors(processors)
            .devices(List.of(devices))
            .build(),
        0);
  }

  private List<Finding> findings() {
    return Diagnosis.of(load.view(0, T0));
  }

  private void says(String kind, String... words) {
    List<Finding> found = findings();
    assertEquals(List.of(kind), found.stream().map(Finding::kind).toList(), found.toString());
    Arrays.stream(words)
        .forEach(word -> assertTrue(found.get(0).text().contains(word), found.toString()));
    assertTrue(found.get(0).change().endsWith("."), found.toString());
  }

  private void saysNothing() {
    assertEquals(List.of(), findings());
  }

  @Test
  void nothingOfAnApplicationThatHasDoneNothing() {
    saysNothing();
    report("1", 8, device("host:0", 0, 0, 0, 0));
    saysNothing();
  }

  @Test
  void nothingOfDevicesThatShare() {
    report(
        "1",
        2,
        device("host:0", 500_000, 5000, 2000, 60),
        device("host:1", 500_000, 5000, 2000, 60));
    saysNothing();
  }

  @Test
  void moreCoresThanProcessors() {
    DeviceLoad[] four = new DeviceLoad[4];
    for (int i = 0; i < 4; i++) {
      four[i] = device("host:" + i, 10, 1, 0, 0);
    }
    report("1", 4, four);
    saysNothing();
    report("2", 1, four);
    says("crowded", "Executor 2 has 4 core devices for 1 processor");
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    report("1", 0, device("host:0", 10, 1, 0, 0), device("host:1", 10, 1, 0, 0));
    saysNothing();
  }

  @Test
  void anExecutorWithoutATask() {
    report("1", 2, device("host:0", 10, 1, 0, 0), device("host:1", 10, 1, 0, 0));
    report("2", 2, device("host:0", 0, 0, 0, 0), device("host:1", 0, 0, 0, 0));
    saysNothing();
    load.stageBegun(3, 0, "count", 1);
    load.addStageWork(3, 0, "1/host:0", new Work(20, 2, 0, 900_000_000));
    saysNothing();
    load.addStageWork(3, 0, "1/host:0", new Work(20, 2, 0, 100_000_000));
    says("no task", "Stage 3.0 has 1 task for 2 executors: executor 2 computed nothing.");
    DeviceLoad lender = device("host:0", 0, 0, 0, 0).toBuilder().lentRows(5L).build();
    load.update(Reports.report("2", 1, T0, List.of(lender)), 0);
    saysNothing();
  }

  /** An earlier query's task was the other executor's. */
  @Test
  void fewerTasksThanExecutorsOfWhichEachHasHadOne() {
    for (String executor : List.of("1", "2")) {
      report(executor, 2, device("host:0", 10, 1, 0, 0), device("host:1", 10, 1, 0, 0));
    }
    load.stageBegun(3, 0, "count", 1);
    load.addStageWork(3, 0, "1/host:0", new Work(20, 2, 0, 1_000_000_000));
    says("no task", "Stage 3.0 has 1 task for 2 executors: the others have none.");
    load.stageBegun(4, 0, "count", 2);
    load.addStageWork(4, 0, "1/host:0", new Work(20, 2, 0, 1_000_000_000));
    saysNothing();
  }

  /** Those that are removed while they are idle, and come as there is work. */
  @Test
  void executorsThatFollowOneAnotherAreNotThereAtOnce() {
    for (int e = 1; e <= 6; e++) {
      for (int i = 0; i <= 16; i++) {
        long at = (e - 1) * 4_000L + i * 250L;
        DeviceLoad busy = device("host:0", i * 100L, i * 250L, i * 200L, 0);
        load.update(
            Reports.report("" + e, i, T0 + at, List.of(busy, busy, busy, busy)), at * 1_000_000);
      }
      if (e < 6) {
        load.addEvent(new DeviceEvent(T0, "" + e, "", DeviceEvent.ENDED, "idle"));
      }
      load.executorEnded("" + e, e * 4_000_000_000L);
    }
    load.stageBegun(7, 0, "count", 4);
    load.addStageWork(7, 0, "6/host:0", new Work(20, 2, 0, 4_000_000_000L));
    saysNothing();
  }

  /** It was not there before it computed something. */
  @Test
  void anExecutorThatCameLateWasNotIdleBefore() {
    for (int i = 0; i <= 32; i++) {
      DeviceLoad busy = device("host:0", i * 100L, i * 250L, i * 200L, 0);
      load.update(Reports.report("1", i, T0 + i * 250L, List.of(busy)), i * 250_000_000L);
      if (i >= 24) {
        long since = i - 24L;
        DeviceLoad late = device("host:0", since * 100, since * 250, since * 200, 0);
        load.update(
            Reports.report("2", since, T0 + i * 250L, List.of(late, late, late)), i * 250_000_000L);
      }
    }
    saysNothing();
  }

  @Test
  void oneDeviceAnExecutor() {
    report("1", 8, device("host:0", 100_000, 3000, 50, 0));
    says("alone", "Each executor has one device");
    DeviceLoad borrowed = device("remote:0", 5, 1, 0, 0).toBuilder().borrowed(true).build();
    load.update(
        Reports.report("1", 1, T0, List.of(device("host:0", 100_000, 3000, 50, 1), borrowed)), 0);
    saysNothing();
  }

  /** Rows that are too cheap to go to another executor leave no trace there. */
  @Test
  void oneDeviceAnExecutorWhereExecutorsShare() {
    sharing("1");
    says("alone", "Each executor has one device");
    sharing("2");
    saysNothing();
  }

  private void sharing(String executor) {
    load.update(
        ExecutorLoad.builder(executor)
            .timeMillis(T0)
            .shares(true)
            .devices(List.of(device("host:0", 100_000, 3000, 50, 0)))
            .build(),
        0);
  }

  @Test
  void aGpuThatWaitsForRows() {
    InnerLoad inner =
        InnerLoad.builder()
            .stalledNanosByEdge(
                Map.of("STAGING_FILLED", 3_000_000_000L, "RESULTS_COPIED", 100_000_000L))
            .build();
    DeviceLoad gpu = device("cuda:0", 100_000, 4000, 0, 0).toBuilder().inner(inner).build();
    report("1", 8, gpu, device("host:0", 10, 1, 0, 0));
    says("waits", "1/cuda:0 waits for rows to come in for 75 %", "STAGING_FILLED");
  }

  @Test
  void aGpuThatWaitsALittleIsNot() {
    InnerLoad inner =
        InnerLoad.builder().stalledNanosByEdge(Map.of("STAGING_FILLED", 1_000_000_000L)).build();
    DeviceLoad gpu = device("cuda:0", 100_000, 4000, 0, 0).toBuilder().inner(inner).build();
    report("1", 8, gpu, device("host:0", 10, 1, 0, 0));
    saysNothing();
  }

  /** One of four computes for four seconds, and the others look for its rows. */
  @Test
  void stealsThatComeToNothing() {
    for (int i = 0; i <= 16; i++) {
      load.update(
          Reports.report(
              "1",
              i,
              T0 + i * 250L,
              List.of(
                  device("host:0", i * 100L, i * 250L, 0, 0),
                  device("host:1", 0, 0, i * 50L, 0),
                  device("host:2", 0, 0, i * 50L, 0),
                  device("host:3", 0, 0, i * 50L, i))),
          i * 250_000_000L);
    }
    says("empty steals", "2,400 times and got some 16 times", "25 % of all devices");
  }

  /** Both cores compute; those that were borrowed are another executor's, and idle by now. */
  @Test
  void borrowedCoresAreNotAmongThoseThatShouldCompute() {
    DeviceLoad borrowed = device("remote:0", 0, 0, 0, 0).toBuilder().borrowed(true).build();
    for (int i = 0; i <= 16; i++) {
      DeviceLoad busy = device("host:0", i * 100L, i * 250L, i * 200L, 0);
      load.update(
          Reports.report(
              "1", i, T0 + i * 250L, List.of(busy, busy, borrowed, borrowed, borrowed, borrowed)),
          i * 250_000_000L);
    }
    saysNothing();
  }

  @Test
  void aCallThatStaysRowByRow() {
    load.addFallback("g", "it stands in a lambda");
    says("row by row", "g stays row by row in 1 plan", "it stands in a lambda");
  }

  @Test
  void functionsThatFail() {
    UdfLoad failing =
        new UdfLoad("f", new Work(10, 1, 0, 100), BlockTimes.NONE, Transfers.NONE, 0, 3);
    load.update(ExecutorLoad.builder("1").udfs(List.of(failing)).build(), 0);
    says("errors", "f ended in an error 3 times");
  }

  @Test
  void rowsThatAreTooCheapToShare() {
    inPlace(40);
    says("cheap", "f takes 40 ns a row", "98 %");
  }

  /** As they are while each core has a task of its own. */
  @Test
  void dearRowsThatStayInPlaceAreNotCheap() {
    inPlace(5000);
    saysNothing();
  }

  /** A million rows, nearly all computed where they are. */
  private void inPlace(long rowNanos) {
    UdfLoad udf =
        new UdfLoad(
            "f",
            new Work(1_000_000, 1, 0, 1_000_000 * rowNanos),
            BlockTimes.NONE,
            Transfers.NONE,
            980_000,
            0);
    load.update(ExecutorLoad.builder("1").udfs(List.of(udf)).build(), 0);
  }

  @Test
  void namesOfUsersMayHaveAnySign() {
    load.addFallback("100 %s %n", "50 %d");
    says("row by row", "100 %s %n", "50 %d");
  }
}
