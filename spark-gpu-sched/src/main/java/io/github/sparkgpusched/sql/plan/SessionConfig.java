package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.config.ConfigEntry;
import io.github.sparkgpusched.config.GpuSchedConfig;
import org.apache.spark.sql.internal.SQLConf;

/** The plugin's settings as a session has them. */
public final class SessionConfig {
  private SessionConfig() {}

  /** One of a session now. */
  public static <T> T get(SQLConf conf, ConfigEntry<T> entry) {
    return entry.read(key -> conf.getConfString(key, null));
  }

  /** Those of a session now. */
  public static GpuSchedConfig of(SQLConf conf) {
    return GpuSchedConfig.from(key -> conf.getConfString(key, null));
  }
}
