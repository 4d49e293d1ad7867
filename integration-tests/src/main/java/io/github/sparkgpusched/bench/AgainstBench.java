package io.github.sparkgpusched.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;

/**
 * The queries of {@link SparkBench} with the plugin of another commit against the same with this
 * one. Each has a JVM, and the two take turns: both runs of a pair find the machine in much the
 * same state, and only one JVM works at a time. The ratio is the other commit's time over this
 * one's.
 *
 * <p>Usage: {@code AgainstBench OUT_DIRECTORY OTHER_JAR GROUP [REPETITIONS [CASE]]}. The first
 * element of the class path is this plugin's jar.
 */
public final class AgainstBench {
  private static final int WARM_UP_SECONDS = 60;
  private static final int CASE_WARM_UP_SECONDS = 12;
  private static final double BAR = 0.99;
  private static final String READY = "ready";

  private AgainstBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    String group = args[2];
    int repetitions = args.length > 3 ? Integer.parseInt(args[3]) : 7;
    List<SparkBench.Case> cases = SparkBench.Group.of(group).cases(args.length > 4 ? args[4] : "");
    if (cases.isEmpty()) {
      return;
    }
    SparkBenchTable table = SparkBenchTable.ofOtherCommit(out);
    String here = System.getProperty("java.class.path");
    String there = args[1] + here.substring(here.indexOf(File.pathSeparatorChar));
    try (Child other = new Child(there, out, group);
        Child plugin = new Child(here, out, group)) {
      Pairs pairs = new Pairs(other, plugin);
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
      while (System.nanoTime() < until) {
        for (SparkBench.Case c : cases) {
          pairs.next(c);
        }
      }
      other.ask("");
      plugin.ask("");
      for (SparkBench.Case c : cases) {
        long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(CASE_WARM_UP_SECONDS);
        for (int i = 0; i < 2 || System.nanoTime() < warm; i++) {
          pairs.next(c);
        }
        for (int i = 0; i < repetitions; i++) {
          table.add(pairs.next(c));
        }
      }
    }
  }

  /** Runs each query in both, each time in the other order. */
  private static final class Pairs {
    private final Child other;
    private final Child plugin;
    private boolean otherFirst;

    Pairs(Child other, Child plugin) {
      this.other = other;
      this.plugin = plugin;
    }

    SparkBenchTable.Pair next(SparkBench.Case c) throws IOException {
      otherFirst = !otherFirst;
      double[] first = (otherFirst ? other : plugin).run(c.plugin());
      double[] second = (otherFirst ? plugin : other).run(c.plugin());
      if (first[0] != second[0]) {
        throw new IllegalStateException(c.name() + ": " + first[0] + " against " + second[0]);
      }
      double[] then = otherFirst ? first : second;
      double[] now = otherFirst ? second : first;
      return new SparkBenchTable.Pair(c.name(), BAR, then[1], now[1], then[2], now[2]);
    }
  }

  /** A JVM that runs the queries that it is told. It ends with its input. */
  private static final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    Child(String classPath, Path out, String group) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(ProcessHandle.current().info().command().orElse("java"));
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-cp", classPath, Session.class.getName(), out.toString(), group));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      questions = process.outputWriter(StandardCharsets.UTF_8);
      answers = process.inputReader(StandardCharsets.UTF_8);
      expect(READY);
    }

    /** Sum, seconds, processor seconds. */
    double[] run(String query) throws IOException {
      String[] words = ask(query).split(" ", -1);
      return new double[] {
        Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2])
      };
    }

    String ask(String question) throws IOException {
      questions.write(question);
      questions.newLine();
      questions.flush();
      return answer();
    }

    private void expect(String answer) throws IOException {
      String given = answer();
      if (!given.equals(answer)) {
        throw new IOException("Expected '" + answer + "', not '" + given + "'.");
      }
    }

    private String answer() throws IOException {
      String line = answers.readLine();
      if (line == null) {
        throw new IOException("A JVM of the bench ended before it answered.");
      }
      return line;
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }

  /** What a child runs: a query a line, over little data until an empty line comes. */
  static final class Session {
    private Session() {}

    public static void main(String[] args) throws IOException {
      Path out = Path.of(args[0]);
      SparkSession spark = SparkBench.session(SparkBench.Group.of(args[1]), out);
      System.out.println(READY);
      BufferedReader questions =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String query = questions.readLine(); query != null; query = questions.readLine()) {
        if (query.isEmpty()) {
          SparkBenchInputs.read(spark, out, SparkBenchInputs.Size.WHOLE);
          System.out.println(READY);
        } else {
          SparkBench.Run run = SparkBench.run(spark, query);
          System.out.println(run.sum() + " " + run.seconds() + " " + run.processorSeconds());
        }
      }
    }
  }
}
