package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.Work;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Bytes as names, with 0 between them: of a function as SQL has it, of its application, of an
 * executor and of a device. Pages, JSON and metrics have them as text, and stay what they are.
 */
public final class NamesFuzz {
  private static final long TIME = 1_700_000_000_000L;
  private static final String LABEL = "[a-z_]+=\"(?:[^\"\\\\\n]|\\\\[\"\\\\n])*+\"";
  private static final Pattern METRIC =
      Pattern.compile(
          "(?s)# (HELP|TYPE) [^\n]*|[a-z0-9_]+\\{" + LABEL + "(," + LABEL + ")*+\\} [-+.0-9E]+");

  private NamesFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) {
    String[] names = new String(data, StandardCharsets.UTF_8).split("\0", 4);
    String udf = names[0];
    LoadView view = view(udf, name(names, 2), name(names, 3));
    String page = page(view, udf);
    if (names.length < 3 && count(page) != count(page(view("f", "0", "host:0"), "f"))) {
      throw new AssertionError("a page is another one by a function's name: " + udf);
    }
    for (String name : names) {
      if (name.contains("<") && name.length() > 3 && page.contains(name)) {
        throw new AssertionError("a page has a name, and not as text: " + name);
      }
    }
    if (!Json.read(Json.write(view)).equals(view)) {
      throw new AssertionError("JSON gives another view back");
    }
    for (String line : MetricsText.of(view, "app-1", name(names, 1)).split("\n", -1)) {
      if (!line.isEmpty() && !METRIC.matcher(line).matches()) {
        throw new AssertionError("no line of metrics: " + line);
      }
    }
  }

  private static String name(String[] names, int at) {
    return at < names.length ? names[at] : List.of("f", "application", "0", "host:0").get(at);
  }

  private static LoadView view(String udf, String executor, String device) {
    UdfLoad load =
        new UdfLoad(udf, new Work(1000, 10, 2, 5_000_000), BlockTimes.NONE, Transfers.NONE, 0, 1);
    ApplicationLoad application =
        new ApplicationLoad(new ApplicationLoad.Limits(10, 20_000, 10_000, 1000));
    application.update(
        ExecutorLoad.builder(executor)
            .sequence(1)
            .timeMillis(TIME)
            .devices(List.of(Reports.device(device, 1000, 100)))
            .udfs(List.of(load))
            .build(),
        0);
    return application.view(0, TIME);
  }

  private static String page(LoadView view, String wanted) {
    return LoadPage.render(view, new Query(Map.of("udf", wanted)), true, "app", new Links(""));
  }

  private static long count(String page) {
    return page.chars().filter(c -> c == '<' || c == '>').count();
  }
}
