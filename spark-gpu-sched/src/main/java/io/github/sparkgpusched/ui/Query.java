package io.github.sparkgpusched.ui;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a page was asked for: its parameters, and links to itself with others. Immutable. */
final class Query {
  private final TreeMap<String, String> parameters;

  Query(Map<String, String> parameters) {
    this.parameters = new TreeMap<>(parameters);
  }

  String get(String name, String otherwise) {
    return parameters.getOrDefault(name, otherwise);
  }

  /** A number at least 0; the other one if there is none or it is none. */
  int number(String name, int otherwise) {
    String text = parameters.get(name);
    try {
      return text == null ? otherwise : Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return otherwise; // somebody has typed into the address
    }
  }

  /** A number greater than 0; 0 if there is none. */
  long number(String name) {
    try {
      return Math.max(0, Long.parseLong(get(name, "0")));
    } catch (NumberFormatException e) {
      return 0; // likewise
    }
  }

  /** The same without some parameters. */
  Query without(String... names) {
    Query changed = new Query(parameters);
    List.of(names).forEach(changed.parameters::remove);
    return changed;
  }

  /** The parameters as hidden fields of a form, but for those that it sets itself. */
  void hidden(Html html, String... but) {
    List<String> own = List.of(but);
    parameters.forEach(
        (name, value) -> {
          if (!own.contains(name)) {
            html.raw("<input type=\"hidden\" name=\"")
                .text(name)
                .raw("\" value=\"")
                .text(value)
                .raw("\">");
          }
        });
  }

  /** The same with some parameters changed: names and values by turns. */
  Query with(String... changes) {
    Query changed = new Query(parameters);
    for (int i = 0; i < changes.length; i += 2) {
      changed.parameters.put(changes[i], changes[i + 1]);
    }
    return changed;
  }

  /** As a link, relative to the page; not yet escaped. */
  String link(String fragment) {
    StringBuilder link = new StringBuilder("?");
    parameters.forEach(
        (name, value) ->
            link.append(link.length() == 1 ? "" : "&")
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return link.append('#').append(fragment).toString();
  }
}
