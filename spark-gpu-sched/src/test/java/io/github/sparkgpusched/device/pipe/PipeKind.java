package io.github.sparkgpusched.device.pipe;

import io.github.sparkgpusched.config.DeviceList;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.DeviceKind;
import io.github.sparkgpusched.device.DeviceRequest;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Devices that compute in another process, over a pipe: slow, and lossy if asked to be. Nothing of
 * the plugin knows of it, so it shows what a kind of device needs. There is one for each number
 * that is named, and none in {@code auto}.
 */
public final class PipeKind implements DeviceKind {
  private static final Pattern NUMBER = Pattern.compile("[0-9]");

  @Override
  public String name() {
    return "pipe";
  }

  @Override
  public void check(List<String> names) {
    for (String name : names) {
      if (!name.equals(DeviceList.ALL) && !NUMBER.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is no pipe: give pipe:0 to pipe:9");
      }
    }
  }

  @Override
  public List<? extends CallDevice> find(DeviceRequest request) {
    PipeSettings settings = PipeSettings.of(request.spark());
    List<String> names = request.names().contains(DeviceList.ALL) ? List.of("0") : request.names();
    return names.stream().map(name -> new PipeDevice("pipe:" + name, settings)).toList();
  }
}
