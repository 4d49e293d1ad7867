package io.github.sparkgpusched.it.testing;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Names and values by turns, as the door to the campaigns hands them on. */
public final class CampaignOptions {
  private final Map<String, String> given = new TreeMap<>();

  public CampaignOptions(String[] args) {
    for (int i = 0; i + 1 < args.length; i += 2) {
      given.putIfAbsent(args[i], args[i + 1]);
    }
  }

  public boolean has(String name) {
    return given.containsKey(name);
  }

  public String text(String name, String otherwise) {
    return given.getOrDefault(name, otherwise);
  }

  public long number(String name, long otherwise) {
    String text = given.get(name);
    return text == null ? otherwise : Long.parseLong(text);
  }

  /** The seed; one of the clock if none is given. */
  public long seed() {
    return number("--seed", Math.floorMod(System.nanoTime(), 100_000L));
  }

  /** How many cases run beside each other: enough for all cores, as each waits at times. */
  public int lanes() {
    return (int) number("--lanes", Runtime.getRuntime().availableProcessors() + 1L);
  }

  /** How long it is to last, by {@code --minutes} or {@code --seconds}. */
  public long nanos(long minutesOtherwise) {
    return has("--seconds")
        ? TimeUnit.SECONDS.toNanos(number("--seconds", 0))
        : TimeUnit.MINUTES.toNanos(number("--minutes", minutesOtherwise));
  }
}
