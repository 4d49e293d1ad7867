package io.github.sparkgpusched.device;

import java.io.Serializable;
import java.util.Objects;

/**
 * A language of functions that a device can be given as text in a query. Immutable.
 *
 * @param name as messages have it, such as {@code CUDA}
 * @param whyNot why the device cannot compile it, or empty if it can
 */
public record TextLanguage(String name, String whyNot) implements Serializable {
  public TextLanguage {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(whyNot, "whyNot");
  }
}
