package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.BlockFailure;
import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.TaskRun;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.Work;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page as HTML: escaped, sorted, cut into pages, bounded. */
class LoadPageTest {
  private static final long T0 = 1_700_000_000_000L;
  private static final List<String> EVIL =
      List.of(
          "<script>alert(1)</script>",
          "\"><img src=x onerror=alert(1)>",
          "' onmouseover='alert(1)",
          "</title></svg><script>alert(1)</script>",
          "javascript:alert(1)",
          "&lt;b&gt; & \u202Egnp.exe \u0000\u0007",
          "${jndi:ldap://x}",
          "a\nb\tc");

  private final ApplicationLoad load =
      new ApplicationLoad(new ApplicationLoad.Limits(10, 20_000, 10_000, 1000));

  private LoadView view() {
    return load.view(0, T0);
  }

  private static String page(LoadView view, String... parameters) {
    return LoadPage.render(
        view, new Query(Map.of()).with(parameters), true, "app-<1>", new Links(""));
  }

  /** The page as a browser would read it; fails if it is not well-formed. */
  private static Document parse(String page) throws Exception {
    String xml =
        page.replace("&nbsp;", " ")
            .replaceAll("<(input|link)([^>]*?)/?>", "<$1$2/>")
            .replace(" checked/>", " checked=\"\"/>");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  @Test
  void whatUsersNamedIsTextAndNothingElse() throws Exception {
    List<UdfLoad> udfs =
        EVIL.stream()
            .map(
                name ->
                    new UdfLoad(name, new Work(1, 1, 0, 5), BlockTimes.NONE, Transfers.NONE, 0, 0))
            .toList();
    for (int i = 0; i < EVIL.size(); i++) {
      String evil = EVIL.get(i);
      load.update(
          ExecutorLoad.builder(evil)
              .timeMillis(T0)
              .devices(List.of(Reports.device(evil, 5, 5)))
              .udfs(udfs)
              .spans(
                  List.of(
                      new BlockSpan(evil, T0 * 1000, T0 * 1000 + 500, 5, 1, true, 0, 0, 0, evil)))
              .build(),
          0);
      load.addFallback(evil, evil);
      load.addEvent(new DeviceEvent(T0, evil, evil, evil, evil));
      load.stageBegun(i, 0, evil, 1);
      load.addStageWork(i, 0, evil, new Work(1, 1, 0, 5));
      load.stageEnded(i, 0, evil);
      load.queryBegun(i, evil, evil, T0);
      load.queryComputes(i, List.of(evil));
      load.queryEnded(i, T0, evil);
    }
    for (String evil : EVIL) {
      String page =
          page(view(), "devices.filter", evil, "devices.sort", evil, "udfs.page", evil, evil, evil);
      assertHarmless(page);
      assertHarmless(page(view(), "devices.filter", "", evil, evil));
    }
    String page = page(view());
    assertHarmless(page);
    assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
  }

  /** No element or attribute but those that this package writes. */
  private static void assertHarmless(String page) throws Exception {
    NodeList elements = parse(page).getElementsByTagName("*");
    List<String> known =
        List.of(
            "div", "section", "h4", "h5", "ul", "li", "strong", "span", "table", "thead", "tbody",
            "tr", "th", "td", "a", "p", "svg", "rect", "g", "title", "text", "line", "defs",
            "pattern", "label", "input", "form", "button", "nav", "details", "summary", "dl", "dt",
            "dd", "em", "caption", "select", "option");
    for (int i = 0; i < elements.getLength(); i++) {
      Element element = (Element) elements.item(i);
      assertTrue(known.contains(element.getTagName()), element.getTagName());
      for (int a = 0; a < element.getAttributes().getLength(); a++) {
        String name = element.getAttributes().item(a).getNodeName();
        String value = element.getAttributes().item(a).getNodeValue();
        assertFalse(name.startsWith("on"), name);
        assertFalse(name.equals("style"), "a strict content security policy forbids styles");
        if (name.equals("href")) {
          assertTrue(
              value.matches("\\?.*|/stages/stage/\\?id=.*|/SQL/execution/\\?id=.*|/executors/"),
              value);
        }
      }
    }
    assertFalse(page.contains("\u202E"), "text that runs backwards");
    assertFalse(page.contains("\u0000"));
    assertFalse(Pattern.compile("https?://").matcher(page).find(), "an outside host");
  }

  private void cluster(int executors, int devices) {
    for (int e = 0; e < executors; e++) {
      load.update(Reports.full("" + e, e, T0 + e, devices), 0);
    }
  }

  @Test
  void aLargeTableIsCutIntoPages() throws Exception {
    cluster(500, 8);
    for (int stage = 0; stage < 10_000; stage++) {
      load.stageBegun(stage, 0, "collect at Main.java:" + stage, 4);
      load.addStageWork(stage, 0, "1/host:0", new Work(5, 1, 0, 5));
      load.stageEnded(stage, 0, null);
    }
    String page = page(view());
    assertTrue(page.length() < 2_000_000, "a page of " + page.length() + " characters");
    Document document = parse(page);
    assertEquals(PagedTable.PAGE_ROWS, rows(document, "devices"));
    assertEquals(PagedTable.PAGE_ROWS, rows(document, "stages"));
    assertTrue(page.contains("page 1 of 80, 4,000 rows"));
    assertTrue(page(view(), "devices.page", "80").contains("page 80 of 80"));
    assertTrue(page(view(), "devices.page", "9999").contains("page 80 of 80"));
    assertTrue(page(view(), "devices.page", "-1").contains("page 1 of 80"));
    assertTrue(page(view(), "devices.page", "x").contains("page 1 of 80"));
  }

  private static int rows(Document document, String section) {
    NodeList sections = document.getElementsByTagName("section");
    for (int i = 0; i < sections.getLength(); i++) {
      Element element = (Element) sections.item(i);
      if (element.getAttribute("id").equals(section)) {
        return element.getElementsByTagName("tr").getLength() - 1;
      }
    }
    throw new AssertionError("no section " + section);
  }

  @Test
  void sortsByAnyColumnAndFilters() {
    load.update(
        Reports.report(
            "2", 0, T0, List.of(Reports.device("host:0", 50, 5), Reports.device("host:1", 70, 1))),
        0);
    load.update(Reports.report("10", 0, T0, List.of(Reports.device("host:0", 60, 9))), 0);
    assertEquals("2/50 2/70 10/60", order(page(view())));
    assertEquals(
        "2/70 10/60 2/50", order(page(view(), "devices.sort", "rows", "devices.desc", "true")));
    assertEquals(
        "2/50 10/60 2/70", order(page(view(), "devices.sort", "rows", "devices.desc", "false")));
    assertEquals("10/60", order(page(view(), "devices.filter", "10/HOST:0")));
    assertTrue(page(view(), "devices.filter", "nobody").contains("No device has such a name."));
  }

  private static String order(String page) {
    Matcher row =
        Pattern.compile(
                "<tr><td><a href=\"/executors/\">(\\d+)</a></td><td>host:.</td>.*?<span>(\\d+)</span></td><td")
            .matcher(page);
    StringBuilder order = new StringBuilder();
    while (row.find()) {
      order
          .append(order.isEmpty() ? "" : " ")
          .append(row.group(1))
          .append('/')
          .append(row.group(2));
    }
    return order.toString();
  }

  @Test
  void whatNobodyMeasuresHasNoColumn() {
    cluster(1, 2);
    assertFalse(page(view()).contains(">Memory</a>"));
    assertFalse(page(view()).contains("Stalled"));
  }

  @Test
  void memoryIsShownOfDevicesThatHaveTheirOwn() {
    LoadEntry gpu = new LoadEntry("cuda:0", 2);
    gpu.setMemory(3L << 30, 1L << 30);
    load.update(
        Reports.report("1", 0, T0, List.of(gpu.snapshot(), Reports.device("host:0", 1, 1))), 0);
    String page = page(view());
    assertTrue(page.contains(">Memory</a>"), page);
    assertTrue(page.contains("width=\"25\"/></svg><span>1.00 GiB</span></td>"), page);
  }

  @Test
  void blocksForAnotherExecutorAreHatchedAndNameIt() {
    cluster(1, 2);
    assertFalse(page(view()).contains("for another executor"));
    load.addSpans(
        List.of(
            new LoadView.Span(
                "0",
                new BlockSpan(
                    "host:0", T0 * 1000, T0 * 1000 + 9000, 50, 2, false, 3, 0, 4, "<7>"))),
        0);
    String page = page(view());
    assertTrue(page.contains("for another executor"), page);
    assertTrue(page.contains("50 rows in 2 blocks, for executor &lt;7&gt;</title>"), page);
    assertTrue(page.contains("fill=\"url(#gs-lent)\" x="), page);
  }

  @Test
  void borrowedDevicesAreInTheSums() {
    load.update(
        Reports.report(
            "1",
            0,
            T0,
            List.of(Reports.device("remote:0", 1234, 1).toBuilder().borrowed(true).build())),
        0);
    String page = page(view());
    assertTrue(page.contains("<strong>Rows on borrowed cores</strong><span>1,234</span>"), page);
    assertTrue(page.contains("<strong>Devices</strong><span>0</span>"), "it is another executor's");
  }

  @Test
  void numbersInNamesAreOrderedAsNumbersAndFoundWhole() {
    List<DeviceLoad> devices =
        Stream.of("host:10", "host:1", "host:0", "host:30", "host:3", "host:2")
            .map(name -> Reports.device(name, 1, 1))
            .toList();
    load.update(Reports.report("1", 0, T0, devices), 0);
    assertEquals(List.of("0", "1", "2", "3", "10", "30"), hosts(page(view())));
    assertEquals(
        List.of("30", "10", "3", "2", "1", "0"),
        hosts(page(view(), "devices.sort", "device", "devices.desc", "true")));
    assertEquals(List.of("3"), hosts(page(view(), "devices.filter", "host:3")));
    assertEquals(List.of("3"), hosts(page(view(), "devices.filter", "1/host:3")));
  }

  private static List<String> hosts(String page) {
    return Pattern.compile("<tr><td><a href=\"/executors/\">\\d+</a></td><td>host:(\\d+)</td>")
        .matcher(page)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void theFilterKeepsOrderAndRangeAndIsThereForFewDevices() {
    cluster(1, 2);
    String page =
        page(view(), "devices.sort", "rows", "timeline.seconds", "10", "devices.page", "2");
    assertTrue(page.contains("name=\"devices.filter\""), page);
    assertTrue(page.contains("type=\"hidden\" name=\"devices.sort\" value=\"rows\""), page);
    assertTrue(page.contains("type=\"hidden\" name=\"timeline.seconds\" value=\"10\""), page);
    String form = page.substring(page.indexOf("<form"), page.indexOf("</form>"));
    assertFalse(form.contains("name=\"devices.page\""), form);
  }

  @Test
  void theFirstClickSortsNamesUpwardsAndFiguresDownwards() {
    cluster(1, 2);
    String page = page(view());
    assertTrue(
        page.contains("?devices.desc=false&amp;devices.page=1&amp;devices.sort=device#"), page);
    assertTrue(page.contains("?devices.desc=true&amp;devices.page=1&amp;devices.sort=rows#"), page);
  }

  @Test
  void aStageThatFailedSaysSoAndWhy() {
    load.addStageWork(1, 0, "1/host:0", new Work(5, 1, 0, 5));
    load.stageEnded(1, 0, "Job aborted: task 3 failed\n\tat java.lang.Thread.run");
    load.addStageWork(2, 0, "1/host:0", new Work(5, 1, 0, 5));
    load.stageEnded(2, 0, null);
    String page = page(view());
    assertTrue(page.contains(">failed</span> <span class=\"gs-why\">Job aborted: task 3 failed<"));
    assertTrue(page.contains(">completed</span></td>"));
    assertEquals("failed", Json.of(view(), "stages").get(0).get("state").asText());
    assertEquals("completed", Json.of(view(), "stages").get(1).get("state").asText());
  }

  @Test
  void aStageThatRunsHasItsProgress() {
    load.stageBegun(4, 0, "count", 200);
    load.update(
        ExecutorLoad.builder("1")
            .running(List.of(new TaskRun(9, 4, 0, new Work(70, 7, 0, 5))))
            .build(),
        0);
    String page = page(view());
    assertTrue(
        page.contains("<td class=\"gs-num\">0 of 200</td><td class=\"gs-num\">1</td>"), page);
    assertTrue(page.contains(">running</span></td>"), page);
  }

  @Test
  void whatTheTimelineLacksIsAShareOfAllBlocks() {
    cluster(1, 1);
    assertTrue(
        page(view()).contains("This is a sample: 88.9 % of all blocks, 24 of 27."),
        TimelineSection.share(view()));
    load.addSpans(List.of(), 24_000);
    assertTrue(
        TimelineSection.share(view()).contains("less than 0.1 % of all blocks, 24 of 24,027"));
  }

  @Test
  void aStageThatIsChosenHasTheTimelineToItself() {
    load.update(Reports.report("1", 0, T0, List.of(Reports.device("host:0", 60, 9))), 0);
    load.addSpans(
        List.of(
            span(T0 * 1000, 3, 7), span(T0 * 1000 + 20_000, 4, 9), span(T0 * 1000 + 60_000, 3, 8)),
        0);
    String page = page(view(), "timeline.stage", "3.0");
    assertTrue(page.contains("<option selected=\"selected\">3.0</option>"), page);
    assertTrue(page.contains("<option>4.0</option>"), page);
    assertTrue(page.contains("data-from=\"" + T0 * 1000 + "\""), page);
    assertTrue(page.contains("data-until=\"" + (T0 * 1000 + 60_900) + "\""), page);
    assertTrue(page.contains("<a class=\"gs-other\" tabindex=\"-1\" href=\"/stages/stage/?id=4"));
    assertFalse(page.contains("<a class=\"gs-other\" tabindex=\"-1\" href=\"/stages/stage/?id=3"));
  }

  private static LoadView.Span span(long startMicros, int stage, long task) {
    return new LoadView.Span(
        "1",
        new BlockSpan("host:0", startMicros, startMicros + 900, 5, 1, false, stage, 0, task, null));
  }

  /** A minute after the last block, the last ten seconds are empty. */
  @Test
  void timeGoesOnWhileNobodyComputes() {
    cluster(1, 1);
    String busy = page(load.view(0, T0), "timeline.seconds", "10");
    assertTrue(busy.contains("><title>task"), busy);
    LoadView later = load.view(0, T0 + 60_000);
    String idle = page(later, "timeline.seconds", "10");
    assertFalse(idle.contains("><title>task"), idle);
    assertEquals(60_000 / later.bucketMillis() + 1, DevicesSection.usedBuckets(later));
  }

  @Test
  void theTimelineStaysNearWhatThereIsHoweverMuchIsAskedFor() throws Exception {
    cluster(1, 1);
    long day = 86_400_000_000L;
    String page = page(view(), "timeline.from", "1", "timeline.until", "9223372036854775807");
    assertHarmless(page);
    assertTrue(page.contains("data-from=\"" + (T0 * 1000 - 250_000 - day) + "\""), page);
    assertTrue(page.contains("data-until=\"" + (T0 * 1000 + day) + "\""), page);
    String past = page(view(), "timeline.from", "1", "timeline.until", "2");
    assertTrue(past.contains("data-from=\"" + (T0 * 1000 - 250_000 - day) + "\""), past);
    assertTrue(past.contains("data-until=\"" + (T0 * 1000 - 249_999 - day) + "\""), past);
    String future =
        page(
            view(),
            "timeline.from",
            "9223372036854775806",
            "timeline.until",
            "9223372036854775807");
    assertTrue(future.contains("data-from=\"" + (T0 * 1000 + day) + "\""), future);
  }

  @Test
  void executorsThatEndedAreNotAmongThoseThatRun() {
    cluster(3, 2);
    load.executorEnded("1", 0);
    assertTrue(page(view()).contains("<strong>Devices</strong><span>4, 2 ended</span>"));
    load.applicationEnded(0);
    assertTrue(page(view()).contains("<strong>Executors</strong><span>3 ended</span>"));
    assertFalse(page(view()).contains("gs-active"));
    assertEquals("ended", Json.of(view(), "devices").get(0).get("state").asText());
  }

  /** Blocks are no part of the launches that a GPU holds: one may be of many. */
  @Test
  void blocksInFlightAreNotCountedAgainstLaunches() {
    DeviceLoad gpu = Reports.device("cuda:0", 1, 1).toBuilder().inFlight(57).capacity(2).build();
    load.update(ExecutorLoad.builder("1").devices(List.of(gpu)).build(), 0);
    String page = page(view());
    assertFalse(page.contains("57 of 2"), page);
    for (String figure : List.of("57", "2")) {
      assertTrue(page.contains("<td class=\"gs-num\">" + figure + "</td>"), page);
    }
    assertTrue(page.contains("of a GPU launches"), page);
  }

  @Test
  void failuresAreRed() {
    DeviceLoad failed = Reports.device("host:0", 1, 1).toBuilder().failures(2).build();
    BlockFailure failure = new BlockFailure("host:0", "<f>", 3, 0, 17, "it is <broken>");
    load.update(
        ExecutorLoad.builder("1")
            .devices(List.of(failed))
            .failures(List.of(failure))
            .udfs(List.of(new UdfLoad("<f>", Work.NONE, BlockTimes.NONE, Transfers.NONE, 0, 2)))
            .build(),
        0);
    String page = page(view());
    assertTrue(
        page.contains(
            "<td class=\"gs-prose\">&lt;f&gt;, stage 3.0, task 17: it is &lt;broken&gt;</td>"),
        page);
    assertTrue(page.contains("<td class=\"gs-prose\">1 block ended in an error</td>"), page);
    assertTrue(page.contains("<td class=\"gs-num gs-bad\">2</td>"), page);
    assertTrue(page.contains("<td class=\"gs-bad\">failure</td>"), page);
    assertTrue(page.contains("Failed blocks</strong><span class=\"gs-bad\">2<"), page);
  }

  @Test
  void aFailureAtARowWhereItIsIsInTheSummary() {
    load.update(
        ExecutorLoad.builder("1")
            .devices(List.of(Reports.device("host:0", 1, 1)))
            .udfs(List.of(new UdfLoad("f", Work.NONE, BlockTimes.NONE, Transfers.NONE, 0, 3)))
            .build(),
        0);
    String page = page(view());
    assertTrue(page.contains("Failed blocks</strong><span>0<"), page);
    assertTrue(page.contains("Failed calls</strong><span class=\"gs-bad\">3<"), page);
  }

  @Test
  void anEmptyApplicationHasAPage() throws Exception {
    String page = page(view());
    assertHarmless(page);
    assertTrue(page.contains("No executor has reported yet."));
    assertTrue(page.contains("No blocks were traced yet."));
  }

  /** A history server keeps views on its disk, which another version may have written. */
  @Test
  void aViewOfAnOlderVersionHasAPage() throws Exception {
    cluster(1, 1);
    ObjectNode json = (ObjectNode) new ObjectMapper().readTree(Json.write(view()));
    json.remove(List.of("queries", "droppedBlocks"));
    ((ObjectNode) json.get("devices").get(0)).remove(List.of("processors", "shares"));
    assertHarmless(page(Json.read(json.toString())));
  }

  @Test
  void jsonHoldsWhatTheViewDoes() {
    cluster(2, 2);
    load.addStageWork(1, 0, "1/host:0", new Work(5, 1, 0, 5));
    LoadView view = view();
    assertEquals(view, Json.read(Json.write(view)));
    assertEquals(4, Json.of(view, "devices").size());
    String message =
        assertThrows(IllegalArgumentException.class, () -> Json.of(view, "nothing")).getMessage();
    assertTrue(
        message.startsWith("there is no part 'nothing'; the parts are timeMillis, "), message);
  }
}
