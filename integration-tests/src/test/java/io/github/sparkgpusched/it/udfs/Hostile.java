package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.api.GpuUdf;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.TaskCompletionListener;

/** A function of a number that gives the number plus one, and does what its mischief says. */
class Hostile implements UDF1<Long, Object>, GpuUdf {
  private static final long serialVersionUID = 1L;

  /** Of runs of queries by number, while they are counted; local mode shares statics with tasks. */
  static final Map<Long, Counts> RUNS = new ConcurrentHashMap<>();

  /** What all copies of a function have done. */
  static final class Counts {
    final LongAdder calls = new LongAdder();

    /** Where the mischief was done. */
    final LongAdder strikes = new LongAdder();
  }

  private static final Object LOCK = new Object();

  private final Mischief mischief;

  /** The row at which it comes. */
  private final long at;

  private final Object part;

  private final long run;

  Hostile(Mischief mischief, long at, long run) {
    this.run = run;
    this.mischief = mischief;
    this.at = at;
    this.part = mischief == Mischief.IS_NOT_SERIALIZABLE ? new Object() : null;
  }

  /** What cannot be initialized, again and again. */
  private static final class Broken {
    static final long VALUE = Long.parseLong("no number");
  }

  @Override
  public Object call(Long value) throws Exception {
    count(run, counts -> counts.calls.increment());
    if (mischief.comesAt(value, at)) {
      count(run, counts -> counts.strikes.increment());
      return strike(value);
    }
    return value + (part == null ? 1 : 2);
  }

  /** Not of a run that is over, whose last tasks may not be. */
  private static void count(long run, Consumer<Counts> what) {
    Counts counts = RUNS.get(run);
    if (counts != null) {
      what.accept(counts);
    }
  }

  private Object strike(long value) throws Exception {
    switch (mischief) {
      case THROWS_CHECKED -> throw new IOException("no answer for " + value);
      case THROWS_UNCHECKED -> throw new IllegalStateException("no answer for " + value);
      case THROWS_ERROR -> throw new AssertionError("no answer for " + value);
      case THROWS_INTERRUPTED -> throw new InterruptedException("no answer for " + value);
      case THROWS_WITHOUT_WORDS -> throw new IllegalStateException((String) null);
      case THROWS_WHAT_CANNOT_BE_SENT -> throw new Thrown.Unsent("no answer for " + value);
      case THROWS_WHAT_CANNOT_BE_TOLD -> throw new Thrown.Untold();
      case IS_NOT_IMPLEMENTED -> throw new scala.NotImplementedError("no answer for " + value);
      case LACKS_A_CLASS -> throw new NoClassDefFoundError("com/example/Missing");
      case RECURSES -> {
        return withoutEnd(value);
      }
      case OUT_OF_MEMORY -> {
        return new long[Integer.MAX_VALUE].length; // no JVM has arrays of this length
      }
      case SLEEPS -> Thread.sleep(1);
      case ALLOCATES -> {
        return value + new byte[1 << 20].length - (1 << 20) + 1;
      }
      case STARTS_THREADS -> {
        Thread thread = new Thread(Thread::onSpinWait, "of-a-udf");
        thread.setDaemon(true);
        thread.start();
      }
      case INTERRUPTS_ITSELF -> Thread.currentThread().interrupt();
      case USES_SPARK -> {
        return value
            + 1
            + TaskContext.get().partitionId()
            + SparkEnv.get().executorId().length()
            + SQLConf.get().numShufflePartitions();
      }
      case ADDS_LISTENERS ->
          TaskContext.get()
              .addTaskCompletionListener((TaskCompletionListener) task -> Thread.onSpinWait());
      case CHANGES_ITS_THREAD -> Thread.currentThread().setContextClassLoader(null);
      case IS_NOT_DETERMINISTIC -> {
        // Registered as such: the answer is one all the same.
        return value + 1 + (System.nanoTime() & 0);
      }
      case LOCKS -> {
        synchronized (LOCK) {
          return value + 1;
        }
      }
      case GIVES_NULL -> {
        return null;
      }
      case GIVES_ANOTHER_TYPE -> {
        return "text";
      }
      case FAILS_TO_INITIALIZE -> {
        return Broken.VALUE;
      }
      default -> {}
    }
    return value + 1;
  }

  private static long withoutEnd(long value) {
    return value < 0 ? 0 : 1 + withoutEnd(value + 1);
  }

  @Override
  public int hashCode() {
    if (mischief == Mischief.HASH_CODE_THROWS) {
      count(run, counts -> counts.strikes.increment());
      throw new IllegalStateException("no hash code");
    }
    return System.identityHashCode(this);
  }

  @Override
  public boolean equals(Object other) {
    if (mischief == Mischief.EQUALS_THROWS) {
      count(run, counts -> counts.strikes.increment());
      throw new IllegalStateException("equal to nothing");
    }
    return this == other;
  }

  @Override
  public String toString() {
    if (mischief == Mischief.TO_STRING_THROWS) {
      count(run, counts -> counts.strikes.increment());
      throw new IllegalStateException("no words");
    }
    return super.toString();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    if (mischief == Mischief.CANNOT_BE_WRITTEN) {
      count(run, counts -> counts.strikes.increment());
      throw new NotSerializableException("never written");
    }
    if (mischief == Mischief.IS_NOT_SERIALIZABLE) {
      count(run, counts -> counts.strikes.increment()); // its part is not
    }
    out.defaultWriteObject();
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    if (mischief == Mischief.CANNOT_BE_READ) {
      count(run, counts -> counts.strikes.increment());
      throw new InvalidObjectException("never read");
    }
  }

  /** Changes the array that it is given, and gives it back. */
  static final class OfBytes implements UDF1<byte[], byte[]>, GpuUdf {
    private static final long serialVersionUID = 1L;

    private final long run;

    OfBytes(long run) {
      this.run = run;
    }

    @Override
    public byte[] call(byte[] bytes) {
      count(run, counts -> counts.calls.increment());
      count(run, counts -> counts.strikes.increment());
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] ^= (byte) (i + 1);
      }
      return bytes;
    }
  }
}
