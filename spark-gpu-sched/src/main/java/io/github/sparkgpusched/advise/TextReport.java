package io.github.sparkgpusched.advise;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The report as text, for a terminal. */
final class TextReport {
  private static final int MOST_LINES = 10;
  private static final int TITLE_WIDTH = 44;

  /** Names are what an application gave: a terminal must not take them for commands. */
  private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

  private TextReport() {}

  static String of(Report report) {
    StringBuilder out = new StringBuilder();
    if (report.applications().size() > 1) {
      overview(out, report.applications());
    }
    report.applications().forEach(a -> application(out, a));
    report.notes().forEach(note -> out.append(shown(note)).append('\n'));
    return out.append(Words.CAVEAT).append('\n').toString();
  }

  private static void overview(StringBuilder out, List<Report.Application> applications) {
    out.append("applications, those that would gain most first\n");
    applications.forEach(
        a ->
            line(
                out,
                Words.shortTitle(a),
                Words.seconds(a.seconds()),
                "saves " + Words.range(a.saved()),
                a.verdict().text()));
    out.append('\n');
  }

  private static void application(StringBuilder out, Report.Application a) {
    out.append(shown(a.log() + ": " + Words.title(a))).append('\n');
    Words.answer(a).forEach(line -> out.append("  ").append(line).append('\n'));
    if (!a.queries().isEmpty()) {
      out.append("  queries\n");
      for (Report.Query q : first(a.queries())) {
        out.append("  ");
        line(
            out,
            q.id() + " " + q.description(),
            Words.seconds(q.seconds()),
            "saves " + Words.range(q.saved()),
            q.verdict().text());
      }
      more(out, a.queries());
    }
    if (!a.stages().isEmpty()) {
      out.append("  stages\n");
      for (Report.Stage s : first(a.stages())) {
        out.append("  ");
        line(
            out,
            s.id() + " " + s.name(),
            Words.functions(s),
            s.tasks() + " tasks: " + Words.skew(s),
            "function " + Words.percent(s.functionSeconds(), s.taskSeconds()),
            "scan " + Words.percent(s.scanSeconds() / Math.max(1e-9, s.taskSeconds())),
            "saves " + Words.range(s.saved()));
      }
      more(out, a.stages());
    }
    if (!a.notBatched().isEmpty()) {
      out.append("  not shared\n");
      for (Report.NotBatched n : a.notBatched()) {
        out.append("    ")
            .append(shown(n.function()))
            .append(" (")
            .append(n.kind())
            .append(") in ")
            .append(shown(n.operator()))
            .append(", because ")
            .append(shown(n.why()))
            .append(n.queries().isEmpty() || n.queries().get(0) < 0 ? "" : "; queries ")
            .append(
                n.queries().stream()
                    .filter(id -> id >= 0)
                    .map(String::valueOf)
                    .collect(Collectors.joining(", ")))
            .append('\n');
      }
    }
    if (!a.notes().isEmpty()) {
      out.append("  notes\n");
      a.notes().forEach(note -> out.append("    ").append(shown(note)).append('\n'));
    }
    out.append('\n');
  }

  private static String shown(String text) {
    return CONTROL.matcher(text).replaceAll("\uFFFD");
  }

  private static <T> List<T> first(List<T> all) {
    return all.subList(0, Math.min(MOST_LINES, all.size()));
  }

  private static void more(StringBuilder out, List<?> all) {
    if (all.size() > MOST_LINES) {
      out.append("    … and ")
          .append(all.size() - MOST_LINES)
          .append(" more in --json and --html\n");
    }
  }

  /** A name of one width, and figures after it. */
  private static void line(StringBuilder out, String title, String... figures) {
    String one = shown(title.replaceAll("\\s+", " ").strip());
    String shown = one.length() > TITLE_WIDTH ? one.substring(0, TITLE_WIDTH - 1) + "…" : one;
    out.append("  ").append(shown).append(" ".repeat(TITLE_WIDTH - shown.length() + 2));
    out.append(shown(String.join("  |  ", figures))).append('\n');
  }
}
