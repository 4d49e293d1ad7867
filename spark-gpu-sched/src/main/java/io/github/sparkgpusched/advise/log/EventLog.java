package io.github.sparkgpusched.advise.log;

import java.util.List;

/**
 * An application's event log: one file, or those of a rolled one in their order.
 *
 * @param name as it was given
 * @param isOpen the application had not ended when it was written, or did not end well
 * @param isCompacted Spark has left out what had ended before
 */
public record EventLog(String name, List<LogFile> files, boolean isOpen, boolean isCompacted) {
  /** What all files take as they are, packed. */
  public long bytes() {
    return files.stream().mapToLong(LogFile::bytes).sum();
  }
}
