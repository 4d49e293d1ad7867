package io.github.sparkgpusched.advise.log;

import java.io.IOException;
import java.io.InputStream;

/**
 * A file, here or in another file system.
 *
 * @param name the last part of its path
 */
public record LogFile(String name, long bytes, Source source) {
  /** Opens it. */
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }
}
