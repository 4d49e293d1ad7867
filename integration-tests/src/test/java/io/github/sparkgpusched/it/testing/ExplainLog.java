package io.github.sparkgpusched.it.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What the plugin logs about plans, from now until closed. Takes it out of the tests' output. */
public final class ExplainLog implements AutoCloseable {
  private static final String OF_A_TASK = "' in task ";

  private final Logger logger = (Logger) LogManager.getLogger("io.github.sparkgpusched.explain");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final boolean additive = logger.isAdditive();
  private final AbstractAppender appender =
      new AbstractAppender("explain", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          lines.add(event.getMessage().getFormattedMessage());
        }
      };

  public ExplainLog() {
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
  }

  /** What the driver has logged of plans. */
  public List<String> lines() {
    return lines.stream().filter(line -> !line.contains(OF_A_TASK)).toList();
  }

  /** What executors have logged of tasks. */
  public List<String> tasks() {
    return lines.stream().filter(line -> line.contains(OF_A_TASK)).toList();
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    logger.setAdditive(additive);
  }
}
