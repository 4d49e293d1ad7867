package io.github.sparkgpusched.device.cuda;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** JCuda's pointers from and to raw addresses. */
final class Addresses {
  private Addresses() {}

  static Pointer host(long address) {
    return new HostPointer(address);
  }

  static CUdeviceptr device(long address) {
    return new CUdeviceptr().withByteOffset(address);
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
