package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.sparkgpusched.advise.log.EventLog;
import io.github.sparkgpusched.advise.log.EventLogs;
import java.io.Console;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Says of Spark's event logs which applications would gain by the plugin. Needs Spark's jars on the
 * class path, of 3.5 or newer, and no session. The logs may be of any version since 3.3:
 *
 * <pre>{@code
 * spark-class io.github.sparkgpusched.advise.Advise EVENTLOG   # with the plugin's jar in jars/
 * java -cp "spark-gpu-sched.jar:$SPARK_HOME/jars/*" io.github.sparkgpusched.advise.Advise EVENTLOG
 * gpusched advise EVENTLOG                                     # of the Python package
 * }</pre>
 */
public final class Advise {
  private static final int WRONG_USE = 2;

  private Advise() {}

  /**
   * Prints a report to the standard output; errors and the progress bar go to the standard error.
   * Ends with status 1 if no log can be read, and 2 if the command line is wrong.
   */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int status;
    try {
      status = run(out, System.err, isTerminal(), arguments);
    } catch (NoClassDefFoundError e) {
      System.err.println(
          "gpusched advise: Spark's jars are not all on the class path, as there is no class "
              + e.getMessage()
              + ": give -cp \"spark-gpu-sched-….jar:$SPARK_HOME/jars/*\", and set SPARK_HOME");
      status = 1;
    }
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Since Java 22 there is a console without a terminal, too. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null || Runtime.version().feature() < 22) {
      return console != null;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /**
   * Prints a report where it is told to, without a progress bar.
   *
   * @param arguments as of {@link #main}
   * @return the process's status: 0 if all went well
   */
  public static int print(PrintStream out, String... arguments) {
    return run(out, System.err, false, arguments);
  }

  /** What {@link #main} does, with its streams given; the process's status. */
  static int run(PrintStream out, PrintStream err, boolean isTerminal, String... arguments) {
    Options options;
    try {
      options = Options.of(arguments);
    } catch (IllegalArgumentException e) {
      err.println("gpusched advise: " + e.getMessage());
      err.print(Options.USAGE);
      return WRONG_USE;
    }
    try {
      Report report = report(options, err, isTerminal || options.progress());
      if (options.html() != null) {
        Files.writeString(Path.of(options.html()), Page.of(report), StandardCharsets.UTF_8);
      }
      if (options.jsonFile() != null) {
        Files.writeString(Path.of(options.jsonFile()), json(report), StandardCharsets.UTF_8);
      }
      out.print(options.json() ? json(report) + "\n" : TextReport.of(report));
      out.flush();
      return 0;
    } catch (IOException | RuntimeException e) {
      err.println("gpusched advise: " + said(e));
      return 1;
    }
  }

  /** One line. Messages of the advisor's own stand alone; others need not be sentences. */
  private static String said(Exception e) {
    boolean isOwn = e instanceof FileNotFoundException && e.getMessage() != null;
    return (isOwn ? e.getMessage() : e.toString()).lines().findFirst().orElse("");
  }

  private static Report report(Options options, PrintStream err, boolean bar) throws IOException {
    List<EventLog> logs = new ArrayList<>();
    for (String given : options.logs()) {
      logs.addAll(EventLogs.at(given));
    }
    Progress progress = new Progress(err, bar, logs.stream().mapToLong(EventLog::bytes).sum());
    List<Report.Application> applications = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (EventLog log : logs) {
      try {
        applications.add(
            LogAnalysis.of(log, read -> progress.log(log.name(), read, System.nanoTime())));
      } catch (IOException | RuntimeException e) {
        notes.add("the log " + log.name() + " is left out: " + said(e));
      }
      progress.logDone(log.bytes());
    }
    progress.end();
    if (applications.isEmpty()) {
      throw new FileNotFoundException("no log can be read: " + String.join("; ", notes));
    }
    applications.sort(
        Comparator.comparingDouble((Report.Application a) -> -a.saved().mid())
            .thenComparing(Report.Application::log));
    return new Report(Report.FORMAT, applications, notes);
  }

  static String json(Report report) throws JsonProcessingException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report);
  }
}
