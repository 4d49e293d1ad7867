package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What the history server finds by {@link java.util.ServiceLoader}. Needs a public constructor. */
public final class GpuSchedHistoryPlugin implements AppHistoryServerPlugin {
  /** After Spark's own tabs. */
  private static final int DISPLAY_ORDER = 1000;

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    List<SparkListener> listeners = List.of(new HistoryListener(store, limits(conf)));
    return CollectionConverters.asScala(listeners).toList();
  }

  /** How much is kept, of the history server's configuration or the application's. */
  public static ApplicationLoad.Limits limits(SparkConf conf) {
    Map<String, String> all = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAllWithPrefix(GpuSchedConfig.PREFIX)) {
      all.put(GpuSchedConfig.PREFIX + entry._1(), entry._2());
    }
    GpuSchedConfig config = GpuSchedConfig.from(all);
    return new ApplicationLoad.Limits(
        config.get(UiKeys.RETAINED_ENDED_EXECUTORS),
        config.get(UiKeys.RETAINED_SPANS),
        config.get(UiKeys.RETAINED_STAGES),
        config.get(UiKeys.RETAINED_EVENTS));
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
    GpuSchedTab.attach(ui, new Cached(store), false);
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
