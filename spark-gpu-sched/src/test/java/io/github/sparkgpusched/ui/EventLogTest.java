package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.Waste;
import io.github.sparkgpusched.load.Work;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;

/** Event logs are read by other versions than have written them: these lines are from the first. */
class EventLogTest {
  private static final String DEVICES =
      """
      {"Event":"io.github.sparkgpusched.ui.GpuSchedDevicesEvent","version":1,\
      "report":{"executorId":"1","sequence":7,"timeMillis":1700000000000,\
      "devices":[{"device":"host:0","state":"ACTIVE","queueDepth":1,"capacity":2,\
      "inFlight":3,"rows":4,"blocks":5,"stealRequests":6,"steals":7,"failures":8,\
      "busyNanos":9,"idleNanos":10,"stalledNanos":11,"offers":12,"freeBytes":13,\
      "usedBytes":14,"transfers":{"toDeviceBytes":15,"fromDeviceBytes":16,"nanos":17},\
      "inner":null}],"udfs":[{"udf":"f","rows":100,"blocks":10,"stolenBlocks":2,\
      "busyNanos":5000,"times":{"counts":[0,10],"maxNanos":600},\
      "transfers":{"toDeviceBytes":1,"fromDeviceBytes":2,"nanos":3}}],"wasted":{"tasks":1,\
      "rows":2,"busyNanos":3},"spans":[],"missedBlocks":4},"axisStartMillis":1700000000000,\
      "bucketMillis":250,"utilisation":[[50,25]]}\
      """;

  private static final String STAGE =
      """
      {"Event":"io.github.sparkgpusched.ui.GpuSchedStageEvent","version":1,\
      "stage":{"stageId":7,"attempt":1,"name":"collect","tasks":2,"rows":175,"blocks":17,\
      "stolenBlocks":3,"busyNanos":1750,"devices":2,"completed":true},\
      "spans":[{"executorId":"1","span":{"device":"host:0","startMicros":1,"endMicros":2,\
      "rows":3,"blocks":4,"stolen":true,"stageId":7,"stageAttempt":1,"taskId":9}}]}\
      """;

  private static final DeviceLoad DEVICE =
      DeviceLoad.builder("host:0")
          .queueDepth(1)
          .capacity(2)
          .inFlight(3)
          .rows(4)
          .blocks(5)
          .stealRequests(6)
          .steals(7)
          .failures(8)
          .busyNanos(9)
          .idleNanos(10)
          .stalledNanos(11L)
          .offers(12L)
          .freeBytes(13L)
          .usedBytes(14L)
          .transfers(new Transfers(15, 16, 17))
          .build();

  private static void isReadAndWritten(SparkListenerEvent event, String line) throws Exception {
    assertEquals(event, JsonProtocol.sparkEventFromJson(line));
    ObjectMapper json = new ObjectMapper();
    hasAllOf(json.readTree(line), json.readTree(JsonProtocol.sparkEventToJsonString(event)), "");
  }

  /** What an older version reads is there; what it does not know may be, too. */
  private static void hasAllOf(JsonNode wanted, JsonNode written, String path) {
    assertEquals(wanted.getNodeType(), written.getNodeType(), path);
    if (wanted.isObject()) {
      wanted
          .fieldNames()
          .forEachRemaining(
              name -> {
                assertTrue(written.has(name), path + "." + name);
                hasAllOf(wanted.get(name), written.get(name), path + "." + name);
              });
    } else if (wanted.isArray()) {
      assertEquals(wanted.size(), written.size(), path);
      for (int i = 0; i < wanted.size(); i++) {
        hasAllOf(wanted.get(i), written.get(i), path + "[" + i + "]");
      }
    } else {
      assertEquals(wanted, written, path);
    }
  }

  @Test
  void executorsAreAsTheFirstVersionWroteThem() throws Exception {
    UdfLoad udf =
        new UdfLoad(
            "f",
            new Work(100, 10, 2, 5000),
            new BlockTimes(List.of(0L, 10L), 600),
            new Transfers(1, 2, 3),
            0,
            0);
    ExecutorLoad report =
        ExecutorLoad.builder("1")
            .sequence(7)
            .timeMillis(1_700_000_000_000L)
            .devices(List.of(DEVICE))
            .udfs(List.of(udf))
            .wasted(new Waste(1, 2, 3))
            .missedBlocks(4)
            .build();
    isReadAndWritten(
        new GpuSchedDevicesEvent(
            1, report, 1_700_000_000_000L, 250, List.of(List.of(50, 25)), false),
        DEVICES);
  }

  private static final String QUERY =
      """
      {"Event":"io.github.sparkgpusched.ui.GpuSchedQueryEvent","version":1,\
      "query":{"id":5,"description":"sales","user":"ada","startMillis":1,"endMillis":2,\
      "failure":"boom","udfs":["f"],"stages":["7.0"],"rows":175,"blocks":17,\
      "stolenBlocks":3,"busyNanos":1750,"wastedRows":4,"tasks":2,"allTasks":8,\
      "rowsPerSecond":null,"leftMillis":null,"skew":2.5,"state":"failed"}}\
      """;

  @Test
  void queriesAreAsTheFirstVersionWroteThem() throws Exception {
    QueryLoad query =
        new QueryLoad(
            5,
            "sales",
            "ada",
            1,
            2,
            "boom",
            List.of("f"),
            List.of("7.0"),
            new Work(175, 17, 3, 1750),
            4,
            2,
            8,
            null,
            null,
            2.5);
    isReadAndWritten(new GpuSchedQueryEvent(1, query), QUERY);
  }

  @Test
  void stagesAreAsTheFirstVersionWroteThem() throws Exception {
    StageLoad stage =
        new StageLoad(7, 1, "collect", 2, new Work(175, 17, 3, 1750), 2, true, null, 0, 0);
    BlockSpan span = new BlockSpan("host:0", 1, 2, 3, 4, true, 7, 1, 9, null);
    isReadAndWritten(
        new GpuSchedStageEvent(1, stage, List.of(new LoadView.Span("1", span)), 0), STAGE);
  }

  /**
   * What homes of Spark are asked to read (integration-tests/compat) is what is written by now:
   * each event, with each of its components.
   */
  @Test
  void theSampleForHomesOfSparkHasAllThatIsWritten() throws Exception {
    ObjectMapper json = new ObjectMapper();
    Set<Class<?>> classes = new HashSet<>();
    for (String line :
        Files.readAllLines(Path.of("../integration-tests/src/compat/events.jsonl"))) {
      SparkListenerEvent event = JsonProtocol.sparkEventFromJson(line);
      assertEquals(json.readTree(line), json.readTree(JsonProtocol.sparkEventToJsonString(event)));
      classes.add(event.getClass());
    }
    assertEquals(
        Set.of(
            GpuSchedDeviceEvent.class,
            GpuSchedDevicesEvent.class,
            GpuSchedFallbackEvent.class,
            GpuSchedQueryEvent.class,
            GpuSchedStageEvent.class),
        classes);
  }
}
