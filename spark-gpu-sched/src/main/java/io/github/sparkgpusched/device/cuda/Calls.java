package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/** The driver's calls on streams and events, of one device. Owner's thread only. */
final class Calls {
  private final String device;

  Calls(String device) {
    this.device = device;
  }

  String device() {
    return device;
  }

  CUstream newStream() throws DeviceFailedException {
    CUstream stream = new CUstream();
    check(
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
    return stream;
  }

  CUevent newEvent() throws DeviceFailedException {
    CUevent event = new CUevent();
    check(JCudaDriver.cuEventCreate(event, 0), "cuEventCreate");
    return event;
  }

  void record(CUevent event, CUstream stream) throws DeviceFailedException {
    check(JCudaDriver.cuEventRecord(event, stream), "cuEventRecord");
  }

  /** True if what was before the event in its stream is done; an event never recorded is. */
  boolean isDone(CUevent event) throws DeviceFailedException {
    int status = JCudaDriver.cuEventQuery(event);
    if (status == CudaErrors.NOT_READY) {
      return false;
    }
    check(status, "cuEventQuery");
    return true;
  }

  /** Blocks the calling thread until an event is done. */
  void join(CUevent event) throws DeviceFailedException {
    check(JCudaDriver.cuEventSynchronize(event), "cuEventSynchronize");
  }

  /** Time between two events that are done, in nanoseconds. */
  long nanosBetween(CUevent from, CUevent until) throws DeviceFailedException {
    float[] millis = new float[1];
    check(JCudaDriver.cuEventElapsedTime(millis, from, until), "cuEventElapsedTime");
    return (long) (millis[0] * 1e6);
  }

  void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, device, function);
  }
}
