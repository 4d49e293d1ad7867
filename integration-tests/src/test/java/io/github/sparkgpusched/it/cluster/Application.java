package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A submitted application: what it prints as {@code answer: key=value}, its REST, its logs. */
final class Application implements AutoCloseable {
  /** Generous: the host's two cores may be shared with other work. */
  private final StandaloneCluster cluster;

  private final ChildProcess process;

  Application(StandaloneCluster cluster, ChildProcess process) {
    this.cluster = cluster;
    this.process = process;
  }

  /** Waits for an answer. */
  String answer(String key) {
    return answer(key, Waiting.PATIENCE);
  }

  /** Waits for an answer that takes longer. */
  String answer(String key, Duration atMost) {
    return process.awaitLine("(?m)^answer: " + Pattern.quote(key) + "=(.*)$", atMost);
  }

  String id() {
    return answer("application");
  }

  /** Waits for a good end. */
  void awaitSuccess() {
    assertEquals(0, process.awaitEnd(), process::log);
  }

  /** Waits for the end, good or bad, and returns the exit status. */
  int awaitEnd() {
    return process.awaitEnd();
  }

  String log() {
    return process.log();
  }

  Map<String, String> executorLogs() {
    return cluster.executorLogs(id());
  }

  /** Waits until an executor has logged a line. */
  MatchResult awaitExecutorLog(Pattern line) {
    MatchResult[] found = new MatchResult[1];
    Waiting.until(
        () -> "no line " + line + log() + executorLogs(),
        () -> {
          for (String log : executorLogs().values()) {
            found[0] = line.matcher(log).results().findFirst().orElse(found[0]);
          }
          return found[0] != null;
        });
    return found[0];
  }

  /** Waits until an executor has written a text to its stdout. */
  void awaitExecutorOutput(String executor, String text) {
    Waiting.until(
        () -> "executor " + executor + " did not print '" + text + "'",
        () -> cluster.executorFiles(id(), "stdout").getOrDefault(executor, "").contains(text));
  }

  /** Whether an executor's process is there. */
  boolean hasExecutors() {
    return cluster.hasExecutors(id());
  }

  void kill(String executor) {
    cluster.kill(id(), executor);
  }

  /** Waits until the text of a REST resource below the application has a match. */
  String awaitRest(String path, Pattern pattern) {
    String uri = answer("ui") + "/api/v1/applications/" + id() + "/" + path;
    String[] last = new String[1];
    Waiting.until(
        () -> uri + " has no " + pattern + " but " + last[0],
        () -> {
          last[0] = get(uri);
          Matcher matcher = pattern.matcher(last[0]);
          return matcher.find();
        });
    return last[0];
  }

  private static String get(String uri) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(uri)).timeout(Waiting.PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
