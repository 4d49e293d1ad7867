package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
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

  CUstream newStream() throws DeviceFailedException, DeviceMemoryException {
    CUstream stream = new CUstream();
    int code = JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING);
    CudaErrors.checkMemory(code, device, "cuStreamCreate", 0);
    return stream;
  }

  CUevent newEvent() throws DeviceFailedException, DeviceMemoryException {
    CUevent event = new CUevent();
    CudaErrors.checkMemory(JCudaDriver.cuEventCreate(event, 0), device, "cuEventCreate", 0);
    return event;
  }

  void record(CUevent event, CUstream stream) throws DeviceFailedException {
    check(JCudaDriver.cuEventRecord(event, stream), "cuEventRecord");
  }

  /** What is queued in the stream from now on waits for what the event has recorded by now. */
  void await(CUstream stream, CUevent event) throws DeviceFailedException {
    check(JCudaDriver.cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
  }

  /** True if all is done that was queued in a stream. */
  boolean isDone(CUstream stream) throws DeviceFailedException {
    int status = JCudaDriver.cuStreamQuery(stream);
    if (status == CudaErrors.NOT_READY) {
      return false;
    }
    check(status, "cuStreamQuery");
    return true;
  }

  /** Blocks the calling thread until all is done that was queued in a stream. */
  void join(CUstream stream) throws DeviceFailedException {
    check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
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
