package io.github.sparkgpusched.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.config.DeviceList;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceKindsTest {
  /** A kind whose devices have the names that are asked for, and may be found by a service file. */
  public static class Named implements DeviceKind {
    private final String name;
    private final String prefix;

    public Named() {
      this("named", "named:");
    }

    Named(String name, String prefix) {
      this.name = name;
      this.prefix = prefix;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void check(List<String> names) {
      if (names.contains("no")) {
        throw new IllegalArgumentException("'no' is none of mine");
      }
    }

    @Override
    public List<CallDevice> find(DeviceRequest request) {
      Stream<String> names =
          request.devices().auto() ? Stream.of("found") : request.names().stream();
      return names.map(of -> (CallDevice) new Nothing(prefix + of)).toList();
    }
  }

  private record Nothing(String name) implements CallDevice {
    @Override
    public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
      return Optional.of("computes nothing");
    }

    @Override
    public Launcher launcher(List<CallOnDevice> calls, TaskWork work) {
      throw new UnsupportedOperationException();
    }

    @Override
    public WorkerSpec spec() {
      return new WorkerSpec(1, 0, 0, 1, true, 1, 0);
    }
  }

  private static String find(DeviceKinds kinds, String devices) {
    GpuSchedConfig config = GpuSchedConfig.from(Map.of("spark.gpusched.devices", devices));
    return String.join(
        " ", kinds.find(config, Map.of(), Map.of()).stream().map(CallDevice::name).toList());
  }

  @Test
  void eachKindIsAskedForItsOwn() {
    DeviceKinds kinds = new DeviceKinds(List.of(new Named(), new Named("b", "b:")));
    assertEquals("b:found named:found", find(kinds, "auto"));
    assertEquals("b:1 b:2 named:x", find(kinds, "named:x,b:1,2"));
    assertEquals("", find(kinds, "host"));
    assertEquals("named:*", find(kinds, "host,NAMED:*"));
  }

  @Test
  void whatNoKindHasIsRefusedWithTheKeyAndTheKinds() {
    DeviceKinds kinds = new DeviceKinds(List.of(new Named(), new Named("b", "b:")));
    String unknown = refusal(kinds, "host,c:0");
    assertTrue(unknown.startsWith("spark.gpusched.devices='host,c:0' is not allowed:"), unknown);
    assertTrue(unknown.contains("'c:0'"), unknown);
    assertTrue(unknown.contains("host and b, named"), unknown);
    String refused = refusal(kinds, "named:no");
    assertTrue(refused.endsWith("'no' is none of mine"), refused);
    assertTrue(refused.contains("spark.gpusched.devices"), refused);
  }

  private static String refusal(DeviceKinds kinds, String devices) {
    return assertThrows(
            IllegalArgumentException.class, () -> kinds.check(DeviceList.parse(devices)))
        .getMessage();
  }

  @Test
  void namesAreKept() {
    assertThrows(
        IllegalStateException.class,
        () -> new DeviceKinds(List.of(new Named(), new Named("named", "n:"))));
    for (String name : List.of("host", "", "Upper", "a b", "a:b")) {
      assertThrows(
          IllegalStateException.class, () -> new DeviceKinds(List.of(new Named(name, name))), name);
    }
    DeviceKinds liar = new DeviceKinds(List.of(new Named("b", "c:")));
    assertTrue(
        assertThrows(IllegalStateException.class, () -> find(liar, "b:1"))
            .getMessage()
            .contains("must begin with 'b:'"));
  }

  /** As a jar of {@code --jars} is seen: its loader's parent has the plugin. */
  @Test
  void anotherJarsKindIsFoundOnce(@TempDir Path jar) throws Exception {
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.writeString(services.resolve(DeviceKind.class.getName()), Named.class.getName() + "\n");
    ClassLoader own = DeviceKinds.class.getClassLoader();
    try (URLClassLoader jars = new URLClassLoader(new URL[] {jar.toUri().toURL()}, own)) {
      DeviceKinds kinds = DeviceKinds.load(List.of(new Named("b", "b:")), List.of(own, jars, jars));
      assertEquals("b:1", find(kinds, "b:1"));
      DeviceKinds both = DeviceKinds.load(List.of(), List.of(own, jars, jars));
      assertEquals("named:1", find(both, "named:1"));
    }
    Files.writeString(services.resolve(DeviceKind.class.getName()), "no.such.Kind\n");
    try (URLClassLoader jars = new URLClassLoader(new URL[] {jar.toUri().toURL()}, own)) {
      String error =
          assertThrows(
                  IllegalStateException.class, () -> DeviceKinds.load(List.of(), List.of(jars)))
              .getMessage();
      assertTrue(error.contains("no.such.Kind"), error);
    }
  }

  /** An executor that ended by it would be started again for ever; so it must be told apart. */
  @Test
  void aKindThatFailsIsNamed() {
    DeviceKind broken =
        new Named("b", "b:") {
          @Override
          public List<CallDevice> find(DeviceRequest request) {
            throw new UnsatisfiedLinkError("no libb.so");
          }
        };
    DeviceKinds kinds = new DeviceKinds(List.of(broken));
    String message =
        assertThrows(IllegalStateException.class, () -> find(kinds, "b:1")).getMessage();
    assertTrue(message.contains("'b'") && message.contains("no libb.so"), message);
  }
}
