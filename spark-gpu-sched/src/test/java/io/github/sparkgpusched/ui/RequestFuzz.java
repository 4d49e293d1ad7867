package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Reports;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Bytes as what a browser asks the tab for: pairs of texts, as lines. */
public final class RequestFuzz {
  private static final long TIME = 1_700_000_000_000L;
  private static final LoadView VIEW = view();

  private RequestFuzz() {}

  private static LoadView view() {
    ApplicationLoad load =
        new ApplicationLoad(new ApplicationLoad.Limits(10, 20_000, 10_000, 1000));
    for (int executor = 0; executor < 2; executor++) {
      load.update(Reports.full("" + executor, 1, TIME, 1), 0);
    }
    return load.view(0, TIME);
  }

  public static void fuzzerTestOneInput(byte[] data) {
    String[] lines = new String(data, StandardCharsets.UTF_8).split("\n", -1);
    Map<String, String> parameters = new TreeMap<>();
    for (int i = 0; i + 1 < lines.length; i += 2) {
      parameters.put(lines[i], lines[i + 1]);
    }
    String page = LoadPage.render(VIEW, new Query(parameters), true, lines[0], new Links(""));
    for (String value : parameters.values()) {
      if (value.contains("<script") && page.contains(value)) {
        throw new AssertionError("a page has what it was asked for, and not as text: " + value);
      }
    }
    try {
      Json.of(VIEW, lines[0]);
    } catch (IllegalArgumentException e) {
      // says which parts there are
    }
    String last = lines[lines.length - 1];
    int order = Names.ORDER.compare(lines[0], last);
    if (order != -Names.ORDER.compare(last, lines[0])) {
      throw new AssertionError("'" + lines[0] + "' and '" + last + "' have no order");
    }
    Names.has(lines[0], last);
  }
}
