package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;

/**
 * A buffer of a block. Its address is handed out only together with the waits that {@link Edge}
 * declares: a stage acquires the buffer, queues what it does, and releases it. Owner's thread only.
 */
final class OrderedBuffer {
  private final Streams streams;
  private final Guard[] guards;
  private long address;
  private long bytes;

  OrderedBuffer(Resource resource, Streams streams) throws DeviceFailedException {
    this.streams = streams;
    Edge[] edges = Edge.of(resource);
    guards = new Guard[edges.length];
    for (int i = 0; i < edges.length; i++) {
      guards[i] = edges[i].kind == Edge.Kind.EVENT ? new EventGuard(edges[i]) : new Rule(edges[i]);
    }
  }

  /** Says where the buffer is; its owner has seen that nobody uses what it was before. */
  void place(long newAddress, long newBytes) {
    address = newAddress;
    bytes = newBytes;
  }

  long bytes() {
    return bytes;
  }

  /** The address for whoever frees the memory. */
  long addressToFree() {
    return address;
  }

  /** Makes a stage wait for all that it has to wait for, and gives it the address. */
  long acquire(Stage stage) throws DeviceFailedException {
    for (Guard guard : guards) {
      if (guard.edge.consumer == stage) {
        guard.await();
      }
    }
    return address;
  }

  /** Ends a stage's use: what it has queued by now is what others wait for. */
  void release(Stage stage) throws DeviceFailedException {
    for (Guard guard : guards) {
      if (guard.edge.producer == stage) {
        guard.signal();
      }
    }
  }

  /** The same for a stage on the host, which nothing can keep from ending. */
  void releaseOnHost(Stage stage) {
    for (Guard guard : guards) {
      if (guard.edge.producer == stage && guard instanceof Rule rule) {
        rule.signal();
      }
    }
  }

  /** True if a stage on the host can acquire the buffer now. */
  boolean isReadyFor(Stage stage) throws DeviceFailedException {
    for (Guard guard : guards) {
      if (guard.edge.consumer == stage && !guard.isReady()) {
        return false;
      }
    }
    return true;
  }

  /** Blocks the calling thread until a stage on the host can acquire the buffer. */
  void join(Stage stage) throws DeviceFailedException {
    for (Guard guard : guards) {
      if (guard.edge.consumer == stage && guard instanceof EventGuard event) {
        long begin = System.nanoTime();
        streams.join(event.done);
        streams.addStall(guard.edge, System.nanoTime() - begin);
      }
    }
  }

  /** Adds the waits of a block that is done to the stalls of their edges. */
  void countStalls() throws DeviceFailedException {
    for (Guard guard : guards) {
      guard.countStall();
    }
  }

  void close() {
    for (Guard guard : guards) {
      guard.close();
    }
  }

  private abstract static class Guard {
    final Edge edge;

    Guard(Edge edge) {
      this.edge = edge;
    }

    abstract void await() throws DeviceFailedException;

    abstract void signal() throws DeviceFailedException;

    abstract boolean isReady() throws DeviceFailedException;

    void countStall() throws DeviceFailedException {}

    void close() {}
  }

  private final class EventGuard extends Guard {
    final CUevent done = streams.newEvent();

    /** In the consumer's stream, before and after its wait. */
    private final CUevent before = streams.newEvent();

    private final CUevent after = streams.newEvent();
    private boolean waited;

    /**
     * True once the owner has seen that the event is done, until it is recorded again. What has
     * arrived can be used though the device fails afterwards.
     */
    private boolean seen;

    EventGuard(Edge edge) throws DeviceFailedException {
      super(edge);
    }

    @Override
    void await() throws DeviceFailedException {
      if (edge.consumer.onHost()) {
        if (!isReady()) {
          throw PipelineRules.broken(edge + ": acquired before it was there");
        }
        return;
      }
      streams.record(before, edge.consumer);
      streams.await(done, edge.consumer);
      streams.record(after, edge.consumer);
      waited = true;
    }

    @Override
    void signal() throws DeviceFailedException {
      seen = false;
      streams.record(done, edge.producer);
    }

    @Override
    boolean isReady() throws DeviceFailedException {
      seen = seen || streams.isDone(done);
      return seen;
    }

    @Override
    void countStall() throws DeviceFailedException {
      if (waited) {
        streams.addStall(edge, streams.nanosBetween(before, after));
        waited = false;
      }
    }

    @Override
    void close() {
      JCudaDriver.cuEventDestroy(done);
      JCudaDriver.cuEventDestroy(before);
      JCudaDriver.cuEventDestroy(after);
    }
  }

  /**
   * An edge that the owner's order of calls keeps: each use by the consumer needs one by the
   * producer before it. The results of a fresh slot count as published.
   */
  private static final class Rule extends Guard {
    private boolean ready;

    Rule(Edge edge) {
      super(edge);
      ready = edge.producer == Stage.HOST_PUBLISH;
    }

    @Override
    void await() {
      if (!ready) {
        throw PipelineRules.broken(edge + ": " + edge.consumer + " before " + edge.producer);
      }
      ready = false;
    }

    @Override
    void signal() {
      ready = true;
    }

    @Override
    boolean isReady() {
      return ready;
    }
  }
}
