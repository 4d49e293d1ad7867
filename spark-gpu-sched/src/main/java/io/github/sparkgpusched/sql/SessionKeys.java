package io.github.sparkgpusched.sql;

import io.github.sparkgpusched.config.ConfigEntry;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.MayChange;
import org.apache.spark.internal.config.ConfigBuilder;
import org.apache.spark.sql.internal.SQLConf$;
import scala.runtime.AbstractFunction1;

/**
 * Makes the plugin's keys known to Spark SQL, so that it treats them as its own, however they are
 * set: keys that are read at the start cannot be changed in a session, a value that is not allowed
 * is refused when it is set, {@code SET -v} lists them all, and a key that is not set has its
 * default.
 */
public final class SessionKeys {
  private SessionKeys() {}

  /** Does so once for a JVM: Spark's registry belongs to no application. */
  public static synchronized void register() {
    for (ConfigEntry<?> entry : GpuSchedConfig.entries()) {
      if (!SQLConf$.MODULE$.containsConfigKey(entry.key())) {
        builder(entry)
            .doc(entry.doc() + " Allowed: " + entry.allowed() + ".")
            .version("")
            .stringConf()
            .transform(new Check(entry))
            .createWithDefaultString(entry.defaultText());
      }
    }
  }

  private static ConfigBuilder builder(ConfigEntry<?> entry) {
    return entry.mayChange() == MayChange.AT_START
        ? SQLConf$.MODULE$.buildStaticConf(entry.key())
        : SQLConf$.MODULE$.buildConf(entry.key());
  }

  /** Gives the text back if it is allowed. */
  private static final class Check extends AbstractFunction1<String, String> {
    private final ConfigEntry<?> entry;

    Check(ConfigEntry<?> entry) {
      this.entry = entry;
    }

    @Override
    public String apply(String text) {
      entry.parse(text);
      return text;
    }
  }
}
