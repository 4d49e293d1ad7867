package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/** The kernels loaded on one device. Owner's thread only. */
final class CudaModules {
  private final String device;
  private final Quiet quiet;
  private final RefusedKernels refused;

  /** By the keys of images. */
  private final Map<String, CUmodule> modules = new HashMap<>();

  /** By the keys of images, and the kernels' names. */
  private final Map<String, CUfunction> functions = new HashMap<>();

  private final Map<CUfunction, KernelImage> images = new HashMap<>();

  CudaModules(String device, RefusedKernels refused, Quiet quiet) {
    this.quiet = quiet;
    this.refused = refused;
    this.device = device;
  }

  /**
   * An image's kernel, loaded if it is not yet.
   *
   * @throws JobRefusedException if the image is refused, by the driver or as it has ended a context
   */
  CUfunction function(KernelImage image) throws DeviceFailedException, JobRefusedException {
    Optional<String> why = refused.why(image);
    if (why.isPresent()) {
      throw new JobRefusedException(why.get());
    }
    String name = image.key() + ' ' + image.kernel();
    CUfunction function = functions.get(name);
    if (function == null) {
      quiet.ensure();
      function = load(image);
      functions.put(name, function);
      images.put(function, image);
    }
    return function;
  }

  private CUfunction load(KernelImage image) throws DeviceFailedException, JobRefusedException {
    CUmodule module = modules.get(image.key());
    if (module == null) {
      module = new CUmodule();
      check(
          JCudaDriver.cuModuleLoadDataEx(
              module, Pointer.to(image.code()), 0, new int[0], Pointer.to(new Pointer[0])),
          image,
          "cuModuleLoadDataEx");
      modules.put(image.key(), module);
    }
    CUfunction function = new Addresses.Function();
    try {
      check(
          JCudaDriver.cuModuleGetFunction(function, module, image.kernel()),
          image,
          "cuModuleGetFunction");
    } catch (JobRefusedException e) {
      JCudaDriver.cuModuleUnload(modules.remove(image.key()));
      throw e;
    }
    return function;
  }

  /**
   * Does nothing if a call that launches a kernel, or asks how it may be launched, succeeded. The
   * driver may load a kernel only then.
   *
   * @throws JobRefusedException if the error is of this kernel alone
   * @throws DeviceFailedException if it is another
   */
  void check(int code, CUfunction function, String call)
      throws DeviceFailedException, JobRefusedException {
    if (code != 0) {
      check(code, images.get(function), call);
    }
  }

  private void check(int code, KernelImage image, String call)
      throws DeviceFailedException, JobRefusedException {
    if (code == 0) {
      return;
    }
    String of = call + " of " + image;
    if (!CudaErrors.isOfOneKernel(code)) {
      CudaErrors.check(code, device, of);
    }
    String reason = CudaErrors.message(code, device, of);
    if (code == CudaErrors.OUT_OF_MEMORY) {
      throw refused.refuseForNow(image, reason);
    }
    throw refused.refuse(image, reason);
  }

  /** Of a function that {@link #function} gave. */
  KernelImage image(CUfunction function) {
    return images.get(function);
  }

  /** Says that a kernel cannot be launched on the device at all. */
  JobRefusedException refuse(CUfunction function, String reason) {
    return refused.refuse(images.get(function), device + ": " + reason);
  }

  /** Unloads all; errors are of no use any more. */
  void close() {
    modules.values().forEach(JCudaDriver::cuModuleUnload);
    modules.clear();
    functions.clear();
    images.clear();
  }
}
