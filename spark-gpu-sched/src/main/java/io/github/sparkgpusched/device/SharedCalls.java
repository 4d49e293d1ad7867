package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdf;
import java.io.Serializable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of an application that executors may compute for each other, on its driver: an executor
 * asks for one by its number, and gets it by Spark's own messages. So no executor sends another one
 * code. Thread-safe.
 */
public final class SharedCalls {
  /**
   * A call, as it is sent to executors.
   *
   * @param takesNulls whether rows with null arguments are computed
   * @param java8Times whether dates and timestamps are those of {@code java.time}, as the session
   *     says
   */
  public record Shared(UdfCall call, UdfPattern udf, boolean takesNulls, boolean java8Times)
      implements Serializable {}

  /** Null while executors of the application share nothing. Written by the driver plugin. */
  private static volatile SharedCalls current;

  /** Who asks for one that is not kept any more is told that there is none. */
  private final RecentCalls calls = new RecentCalls();

  private final AtomicLong last = new AtomicLong();

  /** Begins to number the application's calls. */
  public static SharedCalls start() {
    SharedCalls started = new SharedCalls();
    current = started;
    return started;
  }

  /** The application has ended. */
  public static void end() {
    current = null;
  }

  /** Whether the executors of the application share their work. */
  public static boolean areKept() {
    return current != null;
  }

  /**
   * A call with a number, if executors share their work, and this one is not kept from it.
   *
   * @param pattern its UDF in serialized form
   * @param java8Times see {@link Shared}
   */
  public static UdfCall numbered(UdfCall call, GpuUdf udf, UdfPattern pattern, boolean java8Times) {
    SharedCalls shared = current;
    return shared == null ? call : shared.number(call, udf, pattern, java8Times);
  }

  private UdfCall number(UdfCall call, GpuUdf udf, UdfPattern pattern, boolean java8Times) {
    long number = last.incrementAndGet();
    UdfCall numbered = new UdfCall(call.name(), call.argumentTypes(), call.resultType(), number);
    calls.put(new Shared(numbered, pattern, udf.takesNulls(), java8Times));
    return numbered;
  }

  /** The call of a number. */
  public Optional<Shared> get(long number) {
    return Optional.ofNullable(calls.get(number));
  }
}
