package io.github.sparkgpusched.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The warnings of a class, from now until closed. Takes them out of the tests' output. */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final boolean additive;
  private final Level level;
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
            String stack = event.getThrown() == null ? "" : ", with a stack";
            lines.add(event.getMessage().getFormattedMessage() + stack);
          }
        }
      };

  public LogLines(Class<?> of) {
    logger = (Logger) LogManager.getLogger(of);
    additive = logger.isAdditive();
    level = logger.getLevel(); // without Spark, errors alone
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    logger.setLevel(Level.WARN);
  }

  public List<String> warnings() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    logger.setAdditive(additive);
    logger.setLevel(level);
  }
}
