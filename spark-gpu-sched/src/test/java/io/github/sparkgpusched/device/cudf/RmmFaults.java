package io.github.sparkgpusched.device.cudf;

/**
 * What tests ask of the double of cuDF's natives alone: it is in {@code libcudfjni.so}, which
 * cuDF's classes load, so that one of them, say {@code Rmm}, must have been used before.
 */
final class RmmFaults {
  /** As RMM throws it where RAPIDS does not retry. */
  static final String OUT_OF_MEMORY = "java/lang/OutOfMemoryError";

  private RmmFaults() {}

  /**
   * The {@code n}-th allocation from now on, in whichever thread, throws an exception of this class
   * ({@code com/example/Name}), which takes a message; the others do not. With 0 none does.
   */
  static native void failAllocation(long n, String exception);

  /** The {@code n}-th view that cuDF makes of buffers, from now on, fails; with 0 none does. */
  static native void failView(long n);

  /** How many allocations there were since {@link #failAllocation}. */
  static native long allocations();

  /** Of the device, that RMM has given and not got back. */
  static native long bytesAllocated();
}
