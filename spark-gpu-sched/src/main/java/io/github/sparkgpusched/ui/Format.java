package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.Unit;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Figures as people read them. */
public final class Format {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private Format() {}

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A count with what is counted: {@code 1 device}, {@code 2 devices}. */
  public static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /** Three significant digits or so, in the unit that suits. */
  public static String nanos(long nanos) {
    double micros = nanos / 1e3;
    if (micros < 1) {
      return nanos + " ns";
    }
    if (micros < 1000) {
      return digits(micros) + " µs";
    }
    if (micros < 1e6) {
      return digits(micros / 1e3) + " ms";
    }
    double seconds = micros / 1e6;
    if (seconds < 60) {
      return digits(seconds) + " s";
    }
    return seconds < 3600 ? digits(seconds / 60) + " min" : digits(seconds / 3600) + " h";
  }

  /** The same without zeros behind the point. */
  static String round(long nanos) {
    return nanos(nanos).replaceAll("\\.0+ |(\\.[0-9]*[1-9])0+ ", "$1 ");
  }

  static String millis(long millis) {
    return nanos(millis * 1_000_000);
  }

  public static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : digits(value) + " " + units[unit];
  }

  private static String digits(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }

  /** A median task that computed next to nothing makes any number: more than 999 is no figure. */
  static String skew(double ratio) {
    return ratio > 999 ? "> 999 ×" : String.format(Locale.ROOT, "%.1f ×", ratio);
  }

  /** A measure as it is kept. */
  static String measure(Unit unit, long kept) {
    return unit.isTime() ? nanos(kept) : unit == Unit.BYTES ? bytes(kept) : count(kept);
  }

  static String time(long epochMillis) {
    return TIME.format(Instant.ofEpochMilli(epochMillis));
  }
}
