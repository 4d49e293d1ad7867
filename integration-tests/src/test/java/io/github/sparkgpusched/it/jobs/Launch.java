package io.github.sparkgpusched.it.jobs;

import io.github.sparkgpusched.jobs.Job;
import io.github.sparkgpusched.jobs.JobRunner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a job did that was called in this JVM.
 *
 * @param status its exit status
 * @param out what it printed
 * @param err what it complained of
 */
record Launch(int status, String out, String err) {
  static Launch of(Job job, String... arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        JobRunner.run(
            job,
            arguments,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Launch(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The last line that it printed. */
  String lastLine() {
    return out.lines().reduce((before, line) -> line).orElse("");
  }
}
