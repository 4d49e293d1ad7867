package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.device.CallFailedException;
import io.github.sparkgpusched.schedule.NoDeviceException;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CancellationException;
import org.apache.spark.TaskContext;

/** What a task throws where its job has failed. */
final class JobFailures {
  private JobFailures() {}

  /**
   * Throws Spark's {@code TaskKilledException} itself if the task was killed, and Spark's own
   * exception if a UDF failed.
   *
   * @param failure what the scheduler threw
   * @param body of the job
   */
  static RuntimeException of(Exception failure, TaskContext task, CallBody body) {
    if (failure instanceof CancellationException cancelled) {
      task.killTaskIfInterrupted();
      return cancelled;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      task.killTaskIfInterrupted();
      // No kill: Spark would run a task that calls itself killed again and again.
      return new IllegalStateException("interrupted while other threads computed", failure);
    }
    if (failure instanceof NoDeviceException none && body.language().isPresent()) {
      return noDevice(none, body, body.language().get());
    }
    if (failure instanceof CallFailedException failed) {
      throw UdfErrors.asSparks(failed);
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }

  private static GpuUdfException noDevice(NoDeviceException e, CallBody body, String language) {
    List<String> unsupported = body.unsupported();
    StringJoiner why = new StringJoiner("; ");
    unsupported.forEach(why::add);
    why.add(e.getMessage());
    return new GpuUdfException(
        "'"
            + String.join("', '", body.names())
            + "' runs in this query by its "
            + language
            + " function, which cores cannot compute: "
            + why
            + (unsupported.isEmpty()
                ? ". Run the query again, by a new DataFrame, as one keeps its plan: it is then planned"
                    + " without devices if none is left"
                : ""),
        e);
  }
}
