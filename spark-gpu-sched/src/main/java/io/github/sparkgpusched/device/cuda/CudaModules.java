package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import java.util.HashMap;
import java.util.Map;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/** The kernels loaded on one device. Owner's thread only. */
final class CudaModules {
  private record Loaded(CUmodule module, CUfunction function) {}

  private final String device;
  private final Quiet quiet;
  private final Map<String, Loaded> byKey = new HashMap<>();

  CudaModules(String device, Quiet quiet) {
    this.quiet = quiet;
    this.device = device;
  }

  CUfunction function(KernelImage image) throws DeviceFailedException {
    Loaded loaded = byKey.get(image.key());
    if (loaded == null) {
      quiet.ensure();
      loaded = load(image);
      byKey.put(image.key(), loaded);
    }
    return loaded.function();
  }

  private Loaded load(KernelImage image) throws DeviceFailedException {
    CUmodule module = new CUmodule();
    CudaErrors.check(
        JCudaDriver.cuModuleLoadDataEx(
            module, Pointer.to(image.code()), 0, new int[0], Pointer.to(new Pointer[0])),
        device,
        "cuModuleLoadDataEx of " + image);
    CUfunction function = new Addresses.Function();
    CudaErrors.check(
        JCudaDriver.cuModuleGetFunction(function, module, image.kernel()),
        device,
        "cuModuleGetFunction of " + image);
    return new Loaded(module, function);
  }

  /** Unloads all; errors are of no use any more. */
  void close() {
    byKey.values().forEach(loaded -> JCudaDriver.cuModuleUnload(loaded.module()));
    byKey.clear();
  }
}
