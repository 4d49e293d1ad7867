package io.github.sparkgpusched.it.testing;

import java.util.Map;
import java.util.TreeMap;

/** Names and values by turns, as the door to the campaigns hands them on. */
public final class CampaignOptions {
  private final Map<String, String> given = new TreeMap<>();

  public CampaignOptions(String[] args) {
    for (int i = 0; i + 1 < args.length; i += 2) {
      given.putIfAbsent(args[i], args[i + 1]);
    }
  }

  public String text(String name, String otherwise) {
    return given.getOrDefault(name, otherwise);
  }

  public long number(String name, long otherwise) {
    String text = given.get(name);
    return text == null ? otherwise : Long.parseLong(text);
  }
}
