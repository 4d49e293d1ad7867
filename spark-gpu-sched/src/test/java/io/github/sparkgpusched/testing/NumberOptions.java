package io.github.sparkgpusched.testing;

import java.util.HashMap;
import java.util.Map;

/** Names and whole numbers by turns, as the door to the campaigns hands them on. */
public final class NumberOptions {
  private final Map<String, Long> given = new HashMap<>();

  public NumberOptions(String[] args) {
    for (int i = 0; i + 1 < args.length; i += 2) {
      given.put(args[i], Long.parseLong(args[i + 1]));
    }
  }

  public long get(String name, long otherwise) {
    return given.getOrDefault(name, otherwise);
  }
}
