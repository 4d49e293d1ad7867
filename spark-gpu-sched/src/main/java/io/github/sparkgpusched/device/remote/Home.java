package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.Scheduler;
import java.util.List;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;

/**
 * What an executor lends of.
 *
 * @param scheduler of its cores
 * @param load an entry for each of them, in order
 * @param memory where the rows of guests are accounted, as execution memory
 * @param storageFraction of it from which Spark evicts no cached block
 * @param mostLent how many cores it lends at once at most
 * @param devices of this executor that are no cores, and compute guests' rows beside them
 * @param pieceNanos how long a guest computes before it looks whether its core is wanted
 * @param laneBegan is called as a core begins to be lent
 * @param laneEnded is called as it ends
 */
public record Home(
    Scheduler scheduler,
    LoadTable load,
    MemoryManager memory,
    double storageFraction,
    int mostLent,
    List<CallDevice> devices,
    long pieceNanos,
    Runnable laneBegan,
    Runnable laneEnded) {
  public Home {
    devices = List.copyOf(devices);
  }

  /**
   * Execution memory that is there now. Who asks Spark for more, and has less than half of an equal
   * share, waits until tasks give some back.
   */
  long freeMemory() {
    boolean onHeap = memory.tungstenMemoryMode() == MemoryMode.ON_HEAP;
    long used = onHeap ? memory.onHeapExecutionMemoryUsed() : memory.offHeapExecutionMemoryUsed();
    long rest = onHeap ? memory.maxOnHeapStorageMemory() : memory.maxOffHeapStorageMemory();
    long cached = onHeap ? memory.onHeapStorageMemoryUsed() : memory.offHeapStorageMemoryUsed();
    return rest - Math.min(cached, (long) (storageFraction * (double) (rest + used)));
  }
}
