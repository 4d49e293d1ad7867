package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.testing.NumberOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * {@code integration-tests/campaign devices}: {@link FaultRun}s, each in a process of its own, as
 * long as there is time. Prints a row for each kind of fault as {@code integration-tests/campaign}
 * reads them, and ends with status 1 if something is wrong.
 */
final class DeviceCampaign {
  private static final Pattern LINE =
      Pattern.compile("(?m)^" + FaultRun.LINE + "(\\w+),(\\d+),(\\d+),(\\d+),([-0-9.]+)$");

  /** What came of a kind of fault: places, how many came, wrong ones, the latest hang. */
  private static final class Sum {
    long places;
    long came;
    long wrong;
    double latest;
  }

  /** Guarded by this: runs are beside each other. */
  private final Map<String, Sum> sums = new LinkedHashMap<>();

  private long failed;

  private DeviceCampaign() {}

  /**
   * Runs it.
   *
   * @param args names and values by turns: {@code --seed S}, {@code --seconds N}, {@code --times
   *     N}, {@code --from K}, {@code --lanes N}
   */
  public static void main(String[] args) throws Exception {
    NumberOptions options = new NumberOptions(args);
    long seed = options.get("--seed", 1);
    long from = options.get("--from", 0);
    long times = options.get("--times", Long.MAX_VALUE);
    long seconds = options.get("--seconds", times == Long.MAX_VALUE ? 600 : 86_400);
    // A run waits for what hangs most of its time, so that more of them fit.
    int lanes = (int) options.get("--lanes", 4);
    CudaDouble.folder();
    DeviceCampaign campaign = new DeviceCampaign();
    long begin = System.nanoTime();
    AtomicLong next = new AtomicLong(from);
    long until = times == Long.MAX_VALUE ? times : from + times;
    ExecutorService pool = Executors.newFixedThreadPool(lanes);
    List<Future<?>> all = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      all.add(
          pool.submit(
              () -> {
                while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds)) {
                  long number = next.getAndUpdate(value -> Math.min(until, value + 1));
                  if (number == until) {
                    break;
                  }
                  campaign.run(seed, number);
                }
                return null;
              }));
    }
    for (Future<?> lane : all) {
      lane.get();
    }
    pool.shutdown();
    campaign.report(next.get() - from, System.nanoTime() - begin);
    System.exit(campaign.isGood() ? 0 : 1);
  }

  /** One run, with all faults. */
  private void run(long seed, long number) throws Exception {
    Path temporary = Files.createDirectories(Path.of("target", "tmp", "devices").toAbsolutePath());
    SplittableRandom random = new SplittableRandom(seed ^ number);
    CudaDouble.Ended ended =
        CudaDouble.run(
            temporary,
            CudaDouble.java(
                temporary, FaultRun.class, String.valueOf(seed), String.valueOf(number)),
            Map.of("CLUSTER", random.nextInt(3) == 0 ? "2" : "1", LossWatch.JUDGED, "yes"));
    boolean told = count(ended);
    if (!told || ended.status() != 0 || ended.output().contains("WRONG ")) {
      System.out.printf(
          "NOT AS IT SHOULD BE, status %d; again: integration-tests/campaign devices --seed %d"
              + " --from %d --times 1%n%s%n",
          ended.status(), seed, number, ended.output().lines().limit(60).toList());
    }
  }

  /** Adds up what a run says; false if it says nothing of some kind of fault. */
  private synchronized boolean count(CudaDouble.Ended ended) {
    List<MatchResult> lines = LINE.matcher(ended.output()).results().toList();
    for (MatchResult line : lines) {
      Sum sum = sums.computeIfAbsent(line.group(1), name -> new Sum());
      sum.places += Long.parseLong(line.group(2));
      sum.came += Long.parseLong(line.group(3));
      sum.wrong += Long.parseLong(line.group(4));
      sum.latest = Math.max(sum.latest, Double.parseDouble(line.group(5)));
    }
    boolean told = lines.size() == DeviceFault.values().length;
    failed += ended.status() == 0 && told ? 0 : 1;
    return told;
  }

  private synchronized boolean isGood() {
    return failed == 0 && sums.values().stream().allMatch(sum -> sum.wrong == 0 && sum.came > 0);
  }

  private synchronized void report(long runs, long nanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos) / Math.max(1, sums.size());
    System.out.println(runs + " runs");
    if (failed > 0) {
      System.out.printf("ROW devices,%d,0,%d,nothing,%d%n", runs, failed, seconds);
    }
    sums.forEach(
        (fault, sum) -> {
          System.out.printf(
              "ROW devices %s,%d,%d,%d,%s,%d%n",
              fault,
              sum.places,
              sum.came,
              sum.wrong,
              sum.came > 0 ? "nothing" : "no fault came",
              seconds);
          if (fault.equals(DeviceFault.HANG.text())) {
            System.out.printf(
                Locale.ROOT,
                "a hang was noticed at most %.1f %% of its limit late%n",
                100 * sum.latest);
          }
        });
  }
}
