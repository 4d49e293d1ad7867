package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.load.LoadView;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Which executors can compute functions that have a CUDA form alone. Thread-safe. */
final class CudaExecutors {
  /** By executor, why it cannot compile them; empty texts for those that can. */
  private final Map<String, String> compilers = new ConcurrentHashMap<>();

  void add(CudaCompiler compiler) {
    compilers.put(compiler.executorId(), compiler.failure());
  }

  /**
   * Why not every executor can, or empty if all can.
   *
   * @param devices of all executors, as last reported
   */
  Optional<String> whyNot(List<LoadView.Device> devices) {
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
      Optional<String> why = whyNot(executor.getKey(), executor.getValue());
      if (why.isPresent()) {
        return why;
      }
    }
    return Optional.empty();
  }

  private Optional<String> whyNot(String executor, List<LoadView.Device> devices) {
    String who = executor.equals("driver") ? "this Spark" : "executor " + executor;
    StringJoiner inactive = new StringJoiner(", ");
    boolean active = false;
    for (LoadView.Device device : devices) {
      if (device.load().device().startsWith("cuda:")) {
        active |= device.load().state() == DeviceState.ACTIVE;
        inactive.add(
            device.load().device()
                + " is "
                + device.load().state().name().toLowerCase(Locale.ROOT));
      }
    }
    if (inactive.length() == 0) {
      return Optional.of(who + " has no CUDA device");
    }
    if (!active) {
      return Optional.of(who + " has no CUDA device at work: " + inactive);
    }
    String failure = compilers.get(executor);
    if (failure == null) {
      return Optional.of(who + " has not said yet whether it can compile CUDA functions");
    }
    return failure.isEmpty() ? Optional.empty() : Optional.of(who + ": " + failure);
  }
}
