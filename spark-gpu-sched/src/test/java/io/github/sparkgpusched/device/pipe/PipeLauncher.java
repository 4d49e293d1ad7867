package io.github.sparkgpusched.device.pipe;

import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;

/** Sends a job's UDFs to the process, and then its blocks. Owner's thread only. */
final class PipeLauncher implements Launcher {
  private final PipeDevice device;
  private final List<CallOnDevice> calls;
  private final long id;

  PipeLauncher(PipeDevice device, List<CallOnDevice> calls) throws DeviceFailedException {
    this.device = device;
    this.calls = List.copyOf(calls);
    try {
      this.id = device.process().load(calls.stream().map(CallOnDevice::udf).toArray(Object[]::new));
    } catch (IOException e) {
      throw device.failed("cannot be sent UDFs: " + e.getMessage(), e);
    }
  }

  /** Copies the arguments; rows that are skipped have none. */
  @Override
  public Launch stage(long from, long until) {
    Object[][][] arguments = new Object[calls.size()][(int) (until - from)][];
    for (int i = 0; i < arguments.length; i++) {
      CallOnDevice call = calls.get(i);
      CallColumns columns = call.columns();
      for (int row = (int) from; row < until; row++) {
        if (!columns.skips(row)) {
          Object[] values = new Object[columns.count()];
          for (int a = 0; a < values.length; a++) {
            values[a] = value(columns.arguments(), a, call.call().argumentTypes().get(a), row);
          }
          arguments[i][row - (int) from] = values;
        }
      }
    }
    return new PipeLaunch(device, calls, id, (int) from, (int) until, arguments);
  }

  /** A value as Spark gives it to a UDF. */
  private static Object value(Columns columns, int argument, DataType type, int row) {
    if (type instanceof LongType) {
      return columns.longs(argument).isNull(row) ? null : columns.longs(argument).get(row);
    } else if (type instanceof IntegerType) {
      return columns.ints(argument).isNull(row) ? null : columns.ints(argument).get(row);
    } else if (type instanceof DoubleType) {
      return columns.doubles(argument).isNull(row)
          ? null
          : PipeWorker.Raw.of(columns.doubles(argument).get(row));
    } else if (type instanceof FloatType) {
      return columns.floats(argument).isNull(row)
          ? null
          : PipeWorker.Raw.of(columns.floats(argument).get(row));
    } else if (type instanceof BooleanType) {
      return columns.booleans(argument).isNull(row) ? null : columns.booleans(argument).get(row);
    }
    if (columns.bytes(argument).isNull(row)) {
      return null;
    }
    return new String(columns.bytes(argument).toBytes(row), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    PipeProcess process = device.process();
    if (process != null) {
      process.unload(id);
    }
  }
}
