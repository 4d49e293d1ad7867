package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.api.GpuUdf;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.internal.SQLConf;

/** A function of a number that gives the number plus one, and does what its mischief says. */
class Hostile implements UDF1<Long, Object>, GpuUdf {
  private static final long serialVersionUID = 1L;

  /** Calls of all copies; local mode shares statics with tasks. */
  static final AtomicLong CALLS = new AtomicLong();

  /** Where the mischief was done, by all copies. */
  static final AtomicLong STRIKES = new AtomicLong();

  private static final Object LOCK = new Object();

  private final Mischief mischief;

  /** The row at which it comes. */
  private final long at;

  private final Object part;

  Hostile(Mischief mischief, long at) {
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
    CALLS.incrementAndGet();
    if (mischief.comesAt(value, at)) {
      STRIKES.incrementAndGet();
      return strike(value);
    }
    return value + (part == null ? 1 : 2);
  }

  private Object strike(long value) throws Exception {
    switch (mischief) {
      case THROWS_CHECKED -> throw new IOException("no answer for " + value);
      case THROWS_UNCHECKED -> throw new IllegalStateException("no answer for " + value);
      case THROWS_ERROR -> throw new AssertionError("no answer for " + value);
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
      STRIKES.incrementAndGet();
      throw new IllegalStateException("no hash code");
    }
    return System.identityHashCode(this);
  }

  @Override
  public boolean equals(Object other) {
    if (mischief == Mischief.EQUALS_THROWS) {
      STRIKES.incrementAndGet();
      throw new IllegalStateException("equal to nothing");
    }
    return this == other;
  }

  @Override
  public String toString() {
    if (mischief == Mischief.TO_STRING_THROWS) {
      STRIKES.incrementAndGet();
      throw new IllegalStateException("no words");
    }
    return super.toString();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    if (mischief == Mischief.CANNOT_BE_WRITTEN) {
      STRIKES.incrementAndGet();
      throw new NotSerializableException("never written");
    }
    if (mischief == Mischief.IS_NOT_SERIALIZABLE) {
      STRIKES.incrementAndGet(); // its part is not
    }
    out.defaultWriteObject();
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    if (mischief == Mischief.CANNOT_BE_READ) {
      STRIKES.incrementAndGet();
      throw new InvalidObjectException("never read");
    }
  }

  /** Changes the array that it is given, and gives it back. */
  static final class OfBytes implements UDF1<byte[], byte[]>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public byte[] call(byte[] bytes) {
      CALLS.incrementAndGet();
      STRIKES.incrementAndGet();
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] ^= (byte) (i + 1);
      }
      return bytes;
    }
  }
}
