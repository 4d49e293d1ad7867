package io.github.sparkgpusched.jobs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The flags that a job was called with. Immutable. */
public final class Options {
  private final Map<String, String> values;

  private Options(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads {@code --flag value} pairs.
   *
   * @throws BadArgumentsException if a flag is unknown, has no value, or is missing
   */
  static Options parse(String[] arguments, List<Flag> flags) {
    Map<String, String> values = new LinkedHashMap<>();
    flags.forEach(flag -> values.put(flag.name(), flag.byDefault()));
    for (int i = 0; i < arguments.length; i += 2) {
      String name = arguments[i];
      if (!values.containsKey(name)) {
        throw new BadArgumentsException(
            "unknown argument '" + name + "': give any of " + String.join(", ", values.keySet()));
      }
      if (i + 1 == arguments.length) {
        throw new BadArgumentsException(name + " needs a value");
      }
      values.put(name, arguments[i + 1]);
    }
    values.forEach(
        (name, value) -> {
          if (value == null) {
            throw new BadArgumentsException(name + " is missing");
          }
        });
    return new Options(values);
  }

  /** A page of help. */
  static String help(String job, String about, List<Flag> flags) {
    StringBuilder text = new StringBuilder(job + ": " + about + "\n\n");
    for (Flag flag : flags) {
      text.append(
          String.format(Locale.ROOT, "  %-20s %s", flag.name() + " " + flag.value(), flag.help()));
      if (flag.byDefault() == null) {
        text.append(" (required)");
      } else if (!flag.byDefault().isEmpty()) {
        text.append(" (default ").append(flag.byDefault()).append(')');
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** A flag's value; empty if it was left out. */
  String text(Flag flag) {
    return values.get(flag.name());
  }

  /**
   * A flag's value as a whole number.
   *
   * @throws BadArgumentsException if it is not one from {@code least} to {@code most}
   */
  int number(Flag flag, int least, int most) {
    String text = text(flag);
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new BadArgumentsException(
        flag.name() + " '" + text + "' is not a whole number from " + least + " to " + most);
  }
}
