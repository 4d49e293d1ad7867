package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.device.TextLanguage;
import io.github.sparkgpusched.load.LoadView;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Which executors can compute functions that are given as text alone. Thread-safe. */
final class TextExecutors {
  /** What each executor has said, by its id. */
  private final Map<String, TextDevices> executors = new ConcurrentHashMap<>();

  void add(TextDevices executor) {
    executors.put(executor.executorId(), executor);
  }

  void remove(String executorId) {
    executors.remove(executorId);
  }

  /**
   * Why not every executor can, or empty if all can.
   *
   * @param language of the functions
   * @param devices of all executors, as last reported
   */
  Optional<String> whyNot(String language, List<LoadView.Device> devices) {
    Map<String, List<LoadView.Device>> running =
        devices.stream()
            .filter(device -> !device.ended())
            .collect(
                Collectors.groupingBy(
                    LoadView.Device::executorId, TreeMap::new, Collectors.toList()));
    if (running.isEmpty()) {
      return Optional.of("no executor has reported its devices yet");
    }
    for (Map.Entry<String, List<LoadView.Device>> executor : running.entrySet()) {
      Optional<String> why = whyNot(language, executor.getKey(), executor.getValue());
      if (why.isPresent()) {
        return why;
      }
    }
    return Optional.empty();
  }

  private Optional<String> whyNot(String language, String executor, List<LoadView.Device> devices) {
    String who = executor.equals("driver") ? "this Spark" : "executor " + executor;
    TextDevices said = executors.get(executor);
    if (said == null) {
      return Optional.of(who + " has not said yet which functions its devices can compile");
    }
    StringJoiner inactive = new StringJoiner(", ");
    boolean active = false;
    String failure = null;
    for (LoadView.Device device : devices) {
      String name = device.load().device();
      TextLanguage takes = said.devices().get(name);
      if (takes != null && takes.name().equals(language)) {
        boolean works = device.load().state() == DeviceState.ACTIVE;
        active |= works;
        if (works && (failure == null || takes.whyNot().isEmpty())) {
          failure = takes.whyNot();
        }
        inactive.add(name + " is " + device.load().state().name().toLowerCase(Locale.ROOT));
      }
    }
    if (inactive.length() == 0) {
      return Optional.of(who + " has no " + language + " device");
    }
    if (!active) {
      return Optional.of(who + " has no " + language + " device at work: " + inactive);
    }
    return failure.isEmpty() ? Optional.empty() : Optional.of(who + ": " + failure);
  }
}
