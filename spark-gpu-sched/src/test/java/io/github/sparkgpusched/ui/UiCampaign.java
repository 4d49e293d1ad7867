package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.testing.NumberOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;

/**
 * {@code integration-tests/campaign ui}: the tab of a made-up application of 500 executors of 8
 * devices and 10,000 stages, whose executors report four times a second, read by 20 browsers. Each
 * asks for its page every two seconds, as the tab's script does, and opens another one now and
 * then. Ends with status 1 if a request fails, if the 95th percentile of their times is above 300
 * ms, or if the driver's heap grows.
 */
final class UiCampaign {
  private static final int BROWSERS = 20;
  private static final long REPORT_MILLIS = 250;
  private static final long REFRESH_MILLIS = 2000;
  private static final long P95_MILLIS = 300;
  private static final long MORE_BYTES = 32L << 20;

  /** So many requests to each kind of page come before those that count. */
  private static final int UNMEASURED = 300;

  private static final List<String> PAGES =
      List.of(
          "",
          "?devices.page=100",
          "?devices.sort=rows&devices.desc=true",
          "?stages.page=50",
          "?timeline.seconds=10",
          "json/?part=stages",
          "json/?part=udfs",
          "json/?part=total");

  private final String tab;
  private final ApplicationLoad load;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  private UiCampaign(String tab, ApplicationLoad load) {
    this.tab = tab;
    this.load = load;
  }

  /**
   * Runs it.
   *
   * @param args names and values by turns: {@code --seconds N}, {@code --seed S}
   */
  public static void main(String[] args) throws Exception {
    NumberOptions options = new NumberOptions(args);
    long begin = System.nanoTime();
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("ui campaign")
            .config("spark.ui.port", "0")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.ui.retainedStages", String.valueOf(LargeApplication.STAGES))
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    ApplicationLoad load = DriverRuntime.current().orElseThrow().load();
    String tab = spark.sparkContext().uiWebUrl().get() + "/gpusched/";
    UiCampaign campaign = new UiCampaign(tab, load);
    List<String> left = campaign.run(options.get("--seed", 1), options.get("--seconds", 60));
    long requests = campaign.nanos.size();
    campaign.failures.stream().limit(5).forEach(System.out::println);
    System.out.printf(
        "ROW ui,%d,0,%d,%s,%d%n",
        requests,
        campaign.failures.size(),
        left.isEmpty() ? "nothing" : String.join("; ", left),
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    spark.stop();
    System.exit(campaign.failures.isEmpty() && left.isEmpty() ? 0 : 1);
  }

  private List<String> run(long seed, long seconds) throws Exception {
    LargeApplication.runStages(load, System.currentTimeMillis());
    ExecutorService pool = Executors.newCachedThreadPool();
    Future<?> reports = pool.submit(this::report);
    for (int i = 0; i < UNMEASURED; i++) {
      get(PAGES.get(i % PAGES.size()));
    }
    nanos.clear();
    long before = LargeApplication.usedBytes();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<?>> browsers = new ArrayList<>();
    for (int i = 0; i < BROWSERS; i++) {
      SplittableRandom random = new SplittableRandom(seed * 1_000_003 + i);
      browsers.add(pool.submit(() -> browse(random, end)));
    }
    for (Future<?> browser : browsers) {
      browser.get();
    }
    long grown = LargeApplication.usedBytes() - before;
    over = true;
    reports.get();
    pool.shutdown();
    return judge(grown);
  }

  /** Each executor four times a second, as they do. */
  private Void report() throws InterruptedException {
    for (long sequence = 1; !over; sequence++) {
      long begin = System.nanoTime();
      LargeApplication.report(load, sequence, System.currentTimeMillis(), System.nanoTime());
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      Thread.sleep(Math.max(0, REPORT_MILLIS - took));
    }
    return null;
  }

  /** A browser's window: its page again and again, and another one now and then. */
  private Void browse(SplittableRandom random, long endNanos) throws Exception {
    String page = PAGES.get(random.nextInt(PAGES.size()));
    Thread.sleep(random.nextInt((int) REFRESH_MILLIS));
    while (System.nanoTime() - endNanos < 0) {
      get(page);
      Thread.sleep(REFRESH_MILLIS);
      if (random.nextInt(5) == 0) {
        page = PAGES.get(random.nextInt(PAGES.size()));
      }
    }
    return null;
  }

  private void get(String page) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(tab + page)).build();
    long begin = System.nanoTime();
    try {
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200 || answer.body().length < 2) {
        failures.add(page + ": " + answer.statusCode());
      }
    } catch (IOException e) {
      failures.add(page + ": " + e);
    }
    nanos.add(System.nanoTime() - begin);
  }

  private List<String> judge(long grown) {
    double[] millis = nanos.stream().mapToDouble(each -> each / 1e6).sorted().toArray();
    if (millis.length == 0) {
      return List.of("no request was made");
    }
    System.out.printf(
        "%d requests: median %.0f ms, 95th percentile %.0f ms, longest %.0f ms; the heap grew by"
            + " %.1f MiB%n",
        millis.length,
        millis[millis.length / 2],
        millis[millis.length * 95 / 100],
        Arrays.stream(millis).max().orElse(0),
        grown / 1048576.0);
    List<String> left = new ArrayList<>();
    if (millis[millis.length * 95 / 100] > P95_MILLIS) {
      left.add("a 95th percentile of " + Math.round(millis[millis.length * 95 / 100]) + " ms");
    }
    if (grown > MORE_BYTES) {
      left.add((grown >> 20) + " MiB of heap");
    }
    return left;
  }
}
