package io.github.sparkgpusched.bench.cluster;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** An application that runs what it is told, a line each. It ends with its input. */
final class SubmittedApp implements AutoCloseable {
  /** Before each answer: others write to standard output, too. */
  static final String ANSWER = "bench: ";

  private final Process process;
  private final BufferedWriter questions;
  private final BufferedReader answers;
  private final Path log;

  SubmittedApp(Process process, BufferedReader answers, Path log) {
    this.process = process;
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = answers;
    this.log = log;
  }

  /** Tells it, waits, and gives the words of the answer. */
  String[] ask(Object... words) throws IOException {
    tell(words);
    return answer();
  }

  void tell(Object... words) throws IOException {
    StringBuilder question = new StringBuilder();
    for (Object word : words) {
      question.append(question.isEmpty() ? "" : " ").append(word);
    }
    questions.write(question.toString());
    questions.newLine();
    questions.flush();
  }

  String[] answer() throws IOException {
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length()).split(" ", -1);
      }
    }
    throw new IOException("An application has ended before it answered; see " + log);
  }

  @Override
  public void close() throws IOException {
    questions.close();
    process.onExit().join();
  }
}
