package io.github.sparkgpusched.device.cuda;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;

/** JCuda's pointers from and to raw addresses. */
final class Addresses {
  private Addresses() {}

  static Pointer host(long address) {
    return new HostPointer(address);
  }

  static CUdeviceptr device(long address) {
    return new CUdeviceptr().withByteOffset(address);
  }

  /** The driver's handle of a function that {@link Function} received. */
  static long handle(CUfunction function) {
    return ((Function) function).handle();
  }

  /** Receives a function. */
  static final class Function extends CUfunction {
    private long handle() {
      return getNativePointer();
    }
  }

  /** Receives an address of page-locked memory. */
  static final class HostPointer extends Pointer {
    HostPointer() {}

    private HostPointer(long address) {
      super(address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }

  /** Receives an address of device memory. */
  static final class DevicePointer extends CUdeviceptr {
    long address() {
      return getNativePointer() + getByteOffset();
    }
  }
}
