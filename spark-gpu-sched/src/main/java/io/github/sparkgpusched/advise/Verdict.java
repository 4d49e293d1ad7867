package io.github.sparkgpusched.advise;

/** What to make of a prediction. */
enum Verdict {
  /** Even by the lowest estimate something worth it is saved. */
  PROFITS("profits"),
  /** Likewise, once the function is one of Java or CUDA; now Python's workers run it. */
  PROFITS_IF_REWRITTEN("would profit, were its function written in Java or CUDA"),
  /** By the highest estimate it is worth it, by the lowest not; or the log is not whole. */
  UNCERTAIN("cannot be told"),
  /** There is nothing worth it to balance. */
  NO("does not profit"),
  /** There is nothing that the plugin works on. */
  NO_FUNCTION("has no function that could be shared");

  /** Less is not worth a change. */
  static final double LEAST_PART = 0.05;

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  boolean isGain() {
    return this == PROFITS || this == PROFITS_IF_REWRITTEN;
  }

  /** The same of a log that lacks a part, in which there may have been something worth it. */
  Verdict ofPart() {
    return this == NO || this == NO_FUNCTION ? UNCERTAIN : this;
  }

  static Verdict of(Range saved, double seconds, boolean hasCalls, boolean needsRewrite) {
    if (!hasCalls) {
      return NO_FUNCTION;
    } else if (saved.low() >= LEAST_PART * seconds && saved.low() > 0) {
      return needsRewrite ? PROFITS_IF_REWRITTEN : PROFITS;
    }
    return saved.high() >= LEAST_PART * seconds && saved.high() > 0 ? UNCERTAIN : NO;
  }
}
