package io.github.sparkgpusched.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.device.TextLanguage;
import io.github.sparkgpusched.load.LoadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TextExecutorsTest {
  private final TextExecutors executors = new TextExecutors();

  private static LoadView.Device device(String executor, String name, DeviceState state) {
    DeviceLoad load = DeviceLoad.builder(name).state(state).build();
    return new LoadView.Device(executor, load, 0L, false, 0, false, List.of());
  }

  private static LoadView.Device ended(LoadView.Device device) {
    return new LoadView.Device(device.executorId(), device.load(), 0L, true, 0, false, List.of());
  }

  private final LoadView.Device core = device("1", "host:0", DeviceState.ACTIVE);
  private final LoadView.Device gpu = device("1", "cuda:0", DeviceState.ACTIVE);

  private void assertWhyNot(String reason, LoadView.Device... devices) {
    assertEquals(Optional.ofNullable(reason), executors.whyNot("CUDA", List.of(devices)));
  }

  private void says(String executor, String... devicesAndFailures) {
    Map<String, TextLanguage> devices = new TreeMap<>();
    for (int i = 0; i < devicesAndFailures.length; i += 2) {
      devices.put(devicesAndFailures[i], new TextLanguage("CUDA", devicesAndFailures[i + 1]));
    }
    executors.add(new TextDevices(executor, devices));
  }

  @Test
  void whatAnExecutorSaidGoesWithIt() {
    says("1", "cuda:0", "");
    assertWhyNot(null, gpu);
    executors.remove("1");
    assertWhyNot("executor 1 has not said yet which functions its devices can compile", gpu);
  }

  @Test
  void anotherLanguageIsNoHelp() {
    executors.add(new TextDevices("1", Map.of("cuda:0", new TextLanguage("Metal", ""))));
    assertWhyNot("executor 1 has no CUDA device", core, gpu);
  }

  @Test
  void aDeviceThatIsLostCannotCompileForTheOthers() {
    says("1", "cuda:0", "", "cuda:1", "no NVRTC");
    LoadView.Device lost = device("1", "cuda:0", DeviceState.QUARANTINED);
    assertWhyNot("executor 1: no NVRTC", lost, device("1", "cuda:1", DeviceState.ACTIVE));
  }

  @Test
  void everyExecutorNeedsADeviceAndACompiler() {
    assertWhyNot("no executor has reported its devices yet");
    assertWhyNot("executor 1 has not said yet which functions its devices can compile", core, gpu);
    says("1");
    assertWhyNot("executor 1 has no CUDA device", core);
    says("1", "cuda:0", "");
    assertWhyNot(null, core, gpu);
    LoadView.Device other = device("2", "cuda:0", DeviceState.ACTIVE);
    says("2", "cuda:0", "no NVRTC");
    assertWhyNot("executor 2: no NVRTC", core, gpu, other);
    assertWhyNot(null, core, gpu, ended(other));
    says("3");
    assertWhyNot("executor 3 has no CUDA device", gpu, device("3", "host:0", DeviceState.ACTIVE));
    assertWhyNot("no executor has reported its devices yet", ended(gpu));
  }

  @Test
  void oneDeviceAtWorkIsEnough() {
    says("driver", "cuda:0", "", "cuda:1", "", "cuda:2", "");
    LoadView.Device lost = device("driver", "cuda:0", DeviceState.QUARANTINED);
    LoadView.Device second = device("driver", "cuda:1", DeviceState.QUARANTINED);
    assertWhyNot(
        "this Spark has no CUDA device at work: cuda:0 is quarantined, cuda:1 is quarantined",
        lost,
        second);
    assertWhyNot(null, lost, second, device("driver", "cuda:2", DeviceState.ACTIVE));
  }
}
