package io.github.sparkgpusched.it.load;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sparkgpusched.it.cluster.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A page in a headless Chromium, driven as by a user: keys, the size of the window, dark or light.
 * One thread uses it; whoever starts it closes it.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger lastId = new AtomicInteger();

  /** Who waits for an answer, by the number of its question. The socket's thread removes. */
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

  /** Starts one; the test is skipped where there is none. */
  static Browser start(Path folder) throws Exception {
    Path program = find();
    assumeTrue(program != null, "no Chromium on this host");
    return new Browser(program, folder.toAbsolutePath());
  }

  private static Path find() {
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .map(name -> Path.of("/usr/bin", name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private Browser(Path program, Path folder) throws Exception {
    Files.createDirectories(folder);
    Path profile = Files.createTempDirectory(folder, "chromium");
    process =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                    "--remote-debugging-port=0",
                    "--user-data-dir=" + profile))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path port = profile.resolve("DevToolsActivePort");
    Waiting.until(() -> "Chromium does not listen", () -> hasLines(port));
    String address = "http://127.0.0.1:" + Files.readAllLines(port).get(0);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest newPage =
        HttpRequest.newBuilder(URI.create(address + "/json/new?about:blank"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    String page = client.send(newPage, HttpResponse.BodyHandlers.ofString()).body();
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(
                URI.create(JSON.readTree(page).get("webSocketDebuggerUrl").asText()), new Answers())
            .get(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    ask("Page.enable");
    ask("Runtime.enable");
  }

  private static boolean hasLines(Path file) {
    try {
      return Files.exists(file) && Files.readAllLines(file).size() >= 2;
    } catch (IOException e) {
      return false; // being written
    }
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        try {
          JsonNode answer = JSON.readTree(message.toString());
          CompletableFuture<JsonNode> who =
              answer.has("id") ? waiting.remove(answer.get("id").asInt()) : null;
          if (who != null) {
            who.complete(answer);
          }
        } catch (IOException e) {
          throw new IllegalStateException(message.toString(), e);
        }
        message.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Names and values by turns. */
  private JsonNode ask(String method, Object... parameters) {
    int id = lastId.incrementAndGet();
    ObjectNode question = JSON.createObjectNode().put("id", id).put("method", method);
    ObjectNode all = question.putObject("params");
    for (int i = 0; i < parameters.length; i += 2) {
      all.set((String) parameters[i], JSON.valueToTree(parameters[i + 1]));
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    try {
      socket
          .sendText(question.toString(), true)
          .get(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      JsonNode got = answer.get(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (got.has("error")) {
        throw new IllegalStateException(method + " gives " + got.get("error"));
      }
      return got.get("result");
    } catch (Exception e) {
      throw new IllegalStateException("Chromium does not answer " + method, e);
    }
  }

  /** Opens a page; returns when it has been read whole. */
  void open(String url) {
    ask("Page.navigate", "url", url);
    Waiting.until(
        () -> url + " does not load",
        () ->
            eval("document.readyState === 'complete' && location.href !== 'about:blank'")
                .asBoolean());
  }

  /** What a script gives, which may be a promise, as JSON. */
  JsonNode eval(String script) {
    JsonNode result =
        ask("Runtime.evaluate", "expression", script, "returnByValue", true, "awaitPromise", true);
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(script + " gives " + result.get("exceptionDetails"));
    }
    JsonNode value = result.get("result").get("value");
    return value == null ? JSON.nullNode() : value;
  }

  /** Presses and releases a key, {@code Tab} or {@code Enter}. */
  void press(String key) {
    int code = key.equals("Tab") ? 9 : 13;
    for (String type : List.of("rawKeyDown", "char", "keyUp")) {
      if (type.equals("char") && key.equals("Tab")) {
        continue;
      }
      ask(
          "Input.dispatchKeyEvent",
          "type",
          type,
          "key",
          key,
          "code",
          key,
          "text",
          key.equals("Enter") ? "\r" : "",
          "windowsVirtualKeyCode",
          code);
    }
  }

  /** Presses the mouse at a place of the window, moves it to another, and lets it go. */
  void drag(double fromX, double fromY, double toX, double toY) {
    mouse("mousePressed", fromX, fromY);
    mouse("mouseMoved", (fromX + toX) / 2, (fromY + toY) / 2);
    mouse("mouseMoved", toX, toY);
    mouse("mouseReleased", toX, toY);
  }

  private void mouse(String type, double x, double y) {
    ask(
        "Input.dispatchMouseEvent",
        "type",
        type,
        "x",
        x,
        "y",
        y,
        "button",
        "left",
        "buttons",
        1,
        "clickCount",
        1);
  }

  void size(int width, int height) {
    ask(
        "Emulation.setDeviceMetricsOverride",
        "width",
        width,
        "height",
        height,
        "deviceScaleFactor",
        1,
        "mobile",
        false);
  }

  void prefer(String scheme) {
    ask(
        "Emulation.setEmulatedMedia",
        "features",
        List.of(Map.of("name", "prefers-color-scheme", "value", scheme)));
  }

  /** A picture of the whole page, as PNG. */
  void picture(Path file) throws IOException {
    JsonNode data = ask("Page.captureScreenshot", "format", "png", "captureBeyondViewport", true);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(data.get("data").asText()));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
