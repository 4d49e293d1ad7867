package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.remote.Matchmaker;
import io.github.sparkgpusched.device.remote.Question;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.runtime.TextDevices;
import io.github.sparkgpusched.shims.EventLog;
import io.github.sparkgpusched.shims.RightJar;
import io.github.sparkgpusched.sql.GpuSchedExtensions;
import io.github.sparkgpusched.sql.SessionKeys;
import io.github.sparkgpusched.ui.GpuSchedHistoryPlugin;
import io.github.sparkgpusched.ui.GpuSchedTab;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Checks the configuration and turns on the SQL extension, before the application's first session
 * exists.
 */
public final class GpuSchedDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(GpuSchedDriverPlugin.class);

  private static final String EXTENSIONS = "spark.sql.extensions";

  /** What an executor sends when it has loaded the plugin. A String: any executor can make one. */
  static final String LOADED = "loaded";

  private SparkContext sc;
  private MissingJarWatch watch;

  /** How long the application's end waits for what is on its way to the event log. */
  private static final long LAST_MILLIS = 3000;

  /** Null if nothing is surfaced. */
  private LoadPublisher publisher;

  /** Null if nothing is surfaced. */
  private EventLog log;

  private final LastReports lastReports = new LastReports();

  private DriverRuntime driver;

  /** Null if executors share nothing. */
  private Matchmaker matchmaker;

  /**
   * @throws IllegalArgumentException if a {@code spark.gpusched.*} key is unknown or out of range;
   *     the application stops
   * @throws IllegalStateException if this jar is for another Spark; likewise
   */
  @Override
  public Map<String, String> init(SparkContext sc, PluginContext context) {
    RightJar.check();
    this.sc = sc;
    SparkConf conf = context.conf();
    Map<String, String> ours = new TreeMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      if (GpuSchedConfig.isOurs(entry._1())) {
        ours.put(entry._1(), entry._2());
      }
    }
    GpuSchedConfig.validate(ours);
    Kinds.all().check(GpuSchedConfig.from(ours).get(DeviceKeys.DEVICES));
    SessionKeys.register();
    Set<String> extensions = new LinkedHashSet<>();
    for (String name : conf.get(EXTENSIONS, "").split(",", -1)) {
      if (!name.isBlank()) {
        extensions.add(name.trim());
      }
    }
    extensions.add(GpuSchedExtensions.class.getName());
    conf.set(EXTENSIONS, String.join(",", extensions));
    if (GpuSchedConfig.from(ours).get(UiKeys.ENABLED)) {
      surface(sc, context);
    }
    matchmaker = RemoteCores.serve(sc, GpuSchedConfig.from(ours));
    if (matchmaker != null && publisher != null) {
      LoadMetrics.ofQuestions(context.metricRegistry(), matchmaker::questions);
    }
    watch = new MissingJarWatch(sc);
    sc.addSparkListener(watch);
    return ours;
  }

  private void surface(SparkContext sc, PluginContext context) {
    ApplicationLoad.Limits limits = GpuSchedHistoryPlugin.limits(context.conf());
    ApplicationLoad load = new ApplicationLoad(limits);
    log = new EventLog(sc);
    publisher =
        new LoadPublisher(
            sc.sparkUser(),
            load,
            LoadMetrics.ofApplication(context.metricRegistry(), load),
            limits,
            log::add,
            System::nanoTime,
            System::currentTimeMillis);
    driver = DriverRuntime.start(load, publisher::fallback);
    sc.addSparkListener(publisher);
    sc.addSparkListener(lastReports);
    sc.addSparkListener(new TextDevicesWatch(driver));
    if (sc.ui().isDefined()) {
      GpuSchedTab.attach(
          sc.ui().get(),
          () -> load.view(System.nanoTime(), System.currentTimeMillis()),
          () -> load.reportedView(System.nanoTime(), System.currentTimeMillis()));
    }
  }

  @Override
  public Object receive(Object message) {
    if (LOADED.equals(message)) {
      watch.executorLoadedPlugin();
    } else if (message instanceof ExecutorLoad report && publisher != null) {
      publisher.reported(report);
    } else if (message instanceof LastReport last) {
      lastReports.add(last);
    } else if (message instanceof TextDevices devices && driver != null) {
      driver.textDevices(devices);
    } else if (message instanceof Question question && matchmaker != null) {
      return RemoteCores.answer(matchmaker, question);
    }
    return null;
  }

  @Override
  public void shutdown() {
    SharedCalls.end();
    try {
      if (driver != null) {
        writeRest();
      }
    } finally {
      // Whatever went wrong: another application of this JVM finds nothing of this one.
      if (driver != null) {
        driver.close();
      }
      LoadAccumulator load = LoadAccumulator.forget(sc);
      if (load != null) {
        LOG.info("load of the application's devices, by executor: {}", load.value());
      }
    }
  }

  private void writeRest() {
    long begin = System.nanoTime();
    log.awaitListeners(LAST_MILLIS);
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    if (!lastReports.await(Math.max(0, LAST_MILLIS - passed))) {
      LOG.debug("an executor has not said that it has reported all");
    }
    publisher.logRest();
    log.writeHeld();
  }
}
