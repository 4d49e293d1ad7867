package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import java.util.EnumMap;
import java.util.Map;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/** The streams of a device, one a stage, and their events. Owner's thread only. */
final class Streams {
  private final String device;
  private final Map<Stage, CUstream> streams = new EnumMap<>(Stage.class);
  private final Stalls stalls;

  /**
   * Creates them.
   *
   * @param stalls what their waits are added to
   */
  Streams(String device, Stalls stalls) throws DeviceFailedException {
    this.device = device;
    this.stalls = stalls;
    for (Stage stage : Stage.values()) {
      if (!stage.onHost()) {
        CUstream stream = new CUstream();
        check(
            JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
            "cuStreamCreate");
        streams.put(stage, stream);
      }
    }
  }

  String device() {
    return device;
  }

  CUstream of(Stage stage) {
    return streams.get(stage);
  }

  CUevent newEvent() throws DeviceFailedException {
    CUevent event = new CUevent();
    check(JCudaDriver.cuEventCreate(event, 0), "cuEventCreate");
    return event;
  }

  void record(CUevent event, Stage stage) throws DeviceFailedException {
    check(JCudaDriver.cuEventRecord(event, of(stage)), "cuEventRecord");
  }

  /** Makes a stage's stream wait for an event. */
  void await(CUevent event, Stage stage) throws DeviceFailedException {
    check(JCudaDriver.cuStreamWaitEvent(of(stage), event, 0), "cuStreamWaitEvent");
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

  void addStall(Edge edge, long nanos) {
    stalls.add(edge, nanos);
  }

  void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, device, function);
  }

  /** Destroys the streams; errors are of no use any more. */
  void close() {
    streams.values().forEach(JCudaDriver::cuStreamDestroy);
    streams.clear();
  }
}
