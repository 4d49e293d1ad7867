package io.github.sparkgpusched.ui;

/** Builds HTML. Everything that is not a literal of this package goes through {@link #text}. */
public final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Markup as it is: literals only, or what this class made. */
  public Html raw(String markup) {
    out.append(markup);
    return this;
  }

  /** A number; never needs an escape. */
  public Html number(long number) {
    out.append(number);
    return this;
  }

  /** A number with at most two decimals. */
  public Html number(double number) {
    // Thousands a page: String.format would be most of its time.
    long hundredths = Math.round(number * 100);
    if (hundredths % 100 == 0) {
      out.append(hundredths / 100);
    } else {
      out.append(hundredths / 100.0);
    }
    return this;
  }

  /** Text, in an element or in an attribute between double quotes. */
  public Html text(String text) {
    out.append(escape(text));
    return this;
  }

  /** Makes text harmless in elements and in quoted attributes. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                case '\n', '\t' -> safe.append(' ');
                default -> {
                  // Control characters, also those that turn the direction of text round.
                  boolean harmful =
                      Character.isISOControl(c)
                          || Character.getType(c) == Character.FORMAT
                          || Character.getType(c) == Character.SURROGATE;
                  safe.appendCodePoint(harmful ? 0xFFFD : c);
                }
              }
            });
    return safe.toString();
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
