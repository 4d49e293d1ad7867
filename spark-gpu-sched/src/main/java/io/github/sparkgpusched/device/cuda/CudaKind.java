package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.config.DeviceList;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.DeviceKind;
import io.github.sparkgpusched.device.DeviceRequest;
import java.util.List;

/** NVIDIA's GPUs, and MIG instances of them, through CUDA's driver. */
public final class CudaKind implements DeviceKind {
  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public boolean claims(String uuid) {
    return CudaItems.isUuid(uuid);
  }

  @Override
  public void check(List<String> names) {
    CudaItems.parse(new DeviceList(false, false, List.of()), names);
  }

  @Override
  public List<? extends CallDevice> find(DeviceRequest request) {
    return CudaDevices.find(CudaSettings.of(request));
  }
}
