package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.config.ConfigEntry;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What the history server finds by {@link java.util.ServiceLoader}. Needs a public constructor. */
public final class GpuSchedHistoryPlugin implements AppHistoryServerPlugin {
  /** After Spark's own tabs. */
  private static final int DISPLAY_ORDER = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(GpuSchedHistoryPlugin.class);

  /** Keys whose values were told to be wrong. Any thread adds; at most as many as are read. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    List<SparkListener> listeners = List.of(new HistoryListener(store, limits(conf)));
    return CollectionConverters.asScala(listeners).toList();
  }

  /**
   * How much is kept, of the history server's configuration or the application's. A history server
   * shows the applications of others: what is wrong in its own configuration hides none of them.
   */
  public static ApplicationLoad.Limits limits(SparkConf conf) {
    return new ApplicationLoad.Limits(
        limit(conf, UiKeys.RETAINED_ENDED_EXECUTORS),
        limit(conf, UiKeys.RETAINED_SPANS),
        limit(conf, UiKeys.RETAINED_STAGES),
        limit(conf, UiKeys.RETAINED_EVENTS));
  }

  private static int limit(SparkConf conf, ConfigEntry<Integer> entry) {
    try {
      return entry.read(key -> conf.get(key, null));
    } catch (IllegalArgumentException e) {
      if (TOLD.add(entry.key())) { // it is read for each application that is looked at
        LOG.warn("{}; it is taken for {}", e.getMessage(), entry.defaultText());
      }
      return entry.defaultValue();
    }
  }

  @Override
  public void setupUI(SparkUI ui) {
    KVStore store = ui.store().store();
    try {
      store.read(StoredLoad.class, StoredLoad.KEY);
    } catch (NoSuchElementException e) {
      return; // the application did not run with this plugin
    } catch (Exception e) { // KVStore declares it
      throw new IllegalStateException(e);
    }
    GpuSchedTab.attach(ui, new Cached(store), null);
  }

  @Override
  public int displayOrder() {
    return DISPLAY_ORDER;
  }

  /** Reads the store once, and again if memory was short meanwhile. Thread-safe. */
  private static final class Cached implements Supplier<LoadView> {
    private final KVStore store;
    private volatile SoftReference<LoadView> view = new SoftReference<>(null);

    Cached(KVStore store) {
      this.store = store;
    }

    @Override
    public LoadView get() {
      LoadView read = view.get();
      if (read == null) {
        try {
          read = Json.read(store.read(StoredLoad.class, StoredLoad.KEY).json);
        } catch (Exception e) { // KVStore declares it
          throw new IllegalStateException(e);
        }
        view = new SoftReference<>(read);
      }
      return read;
    }
  }
}
