package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * A share in a GPU's primary context, which ends when all shares of the process are given back,
 * with all that is in it. Closed, open, closed, and so on. Owner's thread only.
 */
final class PrimaryContext {
  private final GpuFacts facts;
  private final CUdevice device = new CUdevice();
  private final CUcontext context = new CUcontext();

  /** True while there is a share. */
  private boolean open;

  PrimaryContext(GpuFacts facts) {
    this.facts = facts;
  }

  /** Takes a share, and makes the context this thread's. */
  void open() throws DeviceFailedException {
    check(JCudaDriver.cuDeviceGet(device, facts.ordinal()), "cuDeviceGet");
    check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
    open = true;
    try {
      check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    } catch (DeviceFailedException e) {
      close();
      throw e;
    }
  }

  /** Gives the share back, if there is one. */
  void close() {
    JCudaDriver.cuCtxSetCurrent(new CUcontext());
    if (open) {
      open = false;
      JCudaDriver.cuDevicePrimaryCtxRelease(device);
    }
  }

  private void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, facts.name(), function);
  }
}
