package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.ui.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What text and page both say. */
final class Words {
  /** A replay that is further off says little. */
  private static final double FAR_OFF = 0.2;

  /** Tasks that compute less of their time wait for something. */
  private static final double COMPUTING = 0.6;

  private Words() {}

  static String seconds(double seconds) {
    return seconds < 0.0005 ? "0 s" : Format.nanos(Math.round(seconds * 1e9));
  }

  static String percent(double part) {
    return Math.round(100 * part) + "%";
  }

  static String percent(Range range, double of) {
    double whole = Math.max(1e-9, of);
    String low = percent(range.low() / whole);
    String high = percent(range.high() / whole);
    return low.equals(high) ? low : low.replace("%", "") + " to " + high;
  }

  /** A most likely figure, and how sure it is. */
  static String range(Range range) {
    String low = seconds(range.low());
    String mid = seconds(range.mid());
    String high = seconds(range.high());
    return low.equals(high) ? mid : mid + " (" + low + " to " + high + ")";
  }

  static String skew(Report.Stage stage) {
    return String.format(
        Locale.ROOT,
        "median %s, longest %s, %.1f times",
        seconds(stage.medianSeconds()),
        seconds(stage.longestSeconds()),
        stage.skew());
  }

  /** Many applications have the same name: their logs have not. */
  static String shortTitle(Report.Application a) {
    return a.name().isEmpty() ? a.log() : a.name() + " (" + a.log() + ")";
  }

  /** Who the application is. */
  static String title(Report.Application a) {
    return (a.name().isEmpty() ? "an application" : "\"" + a.name() + "\"")
        + (a.id().isEmpty() ? "" : ", " + a.id())
        + ", Spark "
        + a.sparkVersion()
        + ", "
        + Format.count(a.executors(), "executor")
        + ", "
        + Format.count(a.cores(), "core")
        + ", "
        + seconds(a.seconds());
  }

  /** The answer, in sentences. */
  static List<String> answer(Report.Application a) {
    List<String> lines = new ArrayList<>();
    if (a.verdict() == Verdict.NO_FUNCTION) {
      lines.add("It " + a.verdict().text() + ": the plugin would change nothing.");
    } else {
      lines.add(
          "It "
              + a.verdict().text()
              + ": balancing would save "
              + range(a.saved())
              + " of "
              + seconds(a.seconds())
              + ", which is "
              + percent(a.saved(), a.seconds())
              + ".");
      long profiting = a.queries().stream().filter(q -> q.verdict().isGain()).count();
      if (profiting > 0 && !a.verdict().isGain()) {
        lines.add("Queries that would profit by themselves: " + profiting + ".");
      }
      double across = Math.max(0, a.saved().mid() - a.savedWithin().mid());
      lines.add(
          "Of that, "
              + seconds(a.savedWithin().mid())
              + " by idle cores of the same executor, and "
              + seconds(across)
              + " by those of other executors.");
      lines.add(
          "Functions that could be shared took "
              + percent(a.functionSeconds(), a.taskSeconds())
              + " of the tasks' time.");
      if (a.processorSeconds() < COMPUTING * a.taskSeconds()) {
        lines.add(
            "Its tasks computed in the JVM for "
                + percent(a.processorSeconds() / a.taskSeconds())
                + " of their time: they waited, for a core or for something else, such as Python."
                + " The low estimate takes time without a core for what nobody can share.");
      }
      if (Math.abs(a.replayError()) > FAR_OFF) {
        lines.add(
            "Take this with care: plain Spark, replayed, takes "
                + percent(Math.abs(a.replayError()))
                + (a.replayError() > 0 ? " longer" : " less")
                + " than it took.");
      }
    }
    return lines;
  }

  /** What a stage's functions are, and what they need. */
  static String functions(Report.Stage stage) {
    return String.join(", ", stage.functions());
  }

  /** What no prediction has. */
  static final String CAVEAT =
      "What is predicted is balance alone: the same function at the same cost, on the cores that"
          + " the log tells of. Batch methods, GPUs, and a function rewritten in Java may save"
          + " more. A function must become one of the plugin's (GpuUdf) first.";
}
