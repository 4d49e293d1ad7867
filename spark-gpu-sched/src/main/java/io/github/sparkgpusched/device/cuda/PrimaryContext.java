package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A share in a GPU's primary context, which ends when all shares of the process are given back,
 * with all that is in it. Closed, open, closed, and so on. Owner's thread only.
 */
final class PrimaryContext {
  private static final Logger LOG = LoggerFactory.getLogger(PrimaryContext.class);

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
      int code = JCudaDriver.cuDevicePrimaryCtxRelease(device);
      if (code != 0) { // what it held may be lost to the process, and a new one may be the old one
        LOG.warn("{}", CudaErrors.message(code, facts.name(), "cuDevicePrimaryCtxRelease"));
      }
    }
  }

  private void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, facts.name(), function);
  }
}
