package io.github.sparkgpusched.config;

/** From when on a new value of a key has an effect. */
public enum MayChange {
  /** Read once, when the driver or an executor starts; a later change is not seen. */
  AT_START,
  /** Read again for every query, from the session's configuration. */
  PER_QUERY
}
