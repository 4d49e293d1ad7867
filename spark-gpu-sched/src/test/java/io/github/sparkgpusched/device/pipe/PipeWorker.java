package io.github.sparkgpusched.device.pipe;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;

/** The other end of the pipe: computes blocks in the order in which they come. */
public final class PipeWorker {
  /** Stands for the result of a row at which a function failed. */
  enum Row {
    FAILED
  }

  /**
   * A floating-point number with all its bits; Java's serialization has one NaN alone.
   *
   * @param isDouble whether it has 64 bits, not 32
   */
  record Raw(long bits, boolean isDouble) implements Serializable {
    static Raw of(Object number) {
      return number instanceof Double d
          ? new Raw(Double.doubleToRawLongBits(d), true)
          : new Raw(Float.floatToRawIntBits((Float) number), false);
    }

    static Object encode(Object value) {
      return value instanceof Double || value instanceof Float ? of(value) : value;
    }

    static Object decode(Object value) {
      if (!(value instanceof Raw raw)) {
        return value;
      } else if (raw.isDouble) {
        return Double.longBitsToDouble(raw.bits);
      }
      return Float.intBitsToFloat((int) raw.bits);
    }
  }

  private static final int LOST_POWER = 137;

  private PipeWorker() {}

  /** Arguments: milliseconds of delay, of how many replies one is lost, after how many it dies. */
  public static void main(String[] args) throws Exception {
    int delayMillis = Integer.parseInt(args[0]);
    int dropEvery = Integer.parseInt(args[1]);
    int dieEvery = Integer.parseInt(args[2]);
    ObjectOutputStream out = new ObjectOutputStream(new BufferedOutputStream(System.out));
    out.flush();
    Map<Long, Object[]> loaded = new HashMap<>();
    int blocks = 0;
    try (ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(System.in))) {
      while (true) {
        char what = in.readChar();
        long id = in.readLong();
        long udfs = in.readLong();
        Object body = in.readObject();
        if (what == 'l') {
          loaded.put(id, (Object[]) body);
        } else if (what == 'u') {
          loaded.remove(udfs);
        } else {
          Thread.sleep(delayMillis);
          blocks++;
          if (dieEvery > 0 && blocks % dieEvery == 0) {
            Runtime.getRuntime().halt(LOST_POWER);
          }
          long begin = System.nanoTime();
          Object[][] results = compute(loaded.get(udfs), (Object[][][]) body);
          if (dropEvery == 0 || blocks % dropEvery != 0) {
            reply(out, id, System.nanoTime() - begin, results);
          }
        }
      }
    } catch (EOFException e) {
      // The executor has ended.
    }
  }

  private static void reply(ObjectOutputStream out, long id, long nanos, Object[][] results)
      throws IOException {
    out.writeLong(id);
    out.writeLong(nanos);
    out.writeObject(results);
    out.reset();
    out.flush();
  }

  private static Object[][] compute(Object[] udfs, Object[][][] arguments) {
    Object[][] results = new Object[udfs.length][];
    for (int i = 0; i < udfs.length; i++) {
      results[i] = new Object[arguments[i].length];
      for (int row = 0; row < results[i].length; row++) {
        if (arguments[i][row] != null) {
          Object[] values = arguments[i][row];
          for (int a = 0; a < values.length; a++) {
            values[a] = Raw.decode(values[a]);
          }
          results[i][row] = Raw.encode(call(udfs[i], values));
        }
      }
    }
    return results;
  }

  @SuppressWarnings("unchecked")
  private static Object call(Object udf, Object[] a) {
    try {
      if (udf instanceof UDF1<?, ?> one) {
        return ((UDF1<Object, Object>) one).call(a[0]);
      } else if (udf instanceof UDF2<?, ?, ?> two) {
        return ((UDF2<Object, Object, Object>) two).call(a[0], a[1]);
      }
      return ((UDF3<Object, Object, Object, Object>) udf).call(a[0], a[1], a[2]);
    } catch (Exception | LinkageError | StackOverflowError e) {
      return Row.FAILED; // a core computes the row again, and says what is wrong
    }
  }
}
