package io.github.sparkgpusched.device.pipe;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A block on its way through the pipe. Owner's thread only. */
final class PipeLaunch implements Launch {
  private final PipeDevice device;
  private final PipeProcess process;
  private final List<CallOnDevice> calls;
  private final long udfs;
  private final int from;
  private final int until;
  private final Object[][][] arguments;
  private long id = -1;
  private PipeProcess.Reply reply;

  PipeLaunch(
      PipeDevice device,
      List<CallOnDevice> calls,
      long udfs,
      int from,
      int until,
      Object[][][] arguments) {
    this.device = device;
    this.process = device.process();
    this.calls = calls;
    this.udfs = udfs;
    this.from = from;
    this.until = until;
    this.arguments = arguments;
  }

  @Override
  public void start() throws DeviceFailedException {
    try {
      id = process.run(udfs, arguments);
    } catch (IOException e) {
      throw device.failed("cannot be sent a block: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean isDone() throws DeviceFailedException {
    reply = process.reply(id);
    if (reply != null) {
      return true;
    }
    if (process.isDead()) {
      throw device.failed("lost its process", null);
    }
    long silentMillis = TimeUnit.NANOSECONDS.toMillis(process.silentNanos());
    if (silentMillis > device.settings().replyMillis()) {
      throw device.failed("has said nothing for " + silentMillis + " ms", null);
    }
    return false;
  }

  @Override
  public long computeNanos() {
    return reply.nanos();
  }

  @Override
  public Transfers transfers() {
    return new Transfers(8L * (until - from), 8L * (until - from), 1);
  }

  @Override
  public void publish(long first, long end, RowsLeft left) {
    for (int row = (int) first; row < end; row++) {
      boolean failed = false;
      for (int i = 0; i < calls.size(); i++) {
        Object result = reply.result(i, row - from);
        failed |= result == PipeWorker.Row.FAILED;
        // Rows that are skipped, or gave null, are null already.
        if (result != null && result != PipeWorker.Row.FAILED) {
          write(calls.get(i).results(), row, PipeWorker.Raw.decode(result));
        }
      }
      if (failed) {
        left.add(row, row + 1);
      }
    }
  }

  private static void write(ResultWriter out, int row, Object result) {
    out.beginRange(row, row + 1);
    if (result instanceof Long value) {
      out.setLong(row, value);
    } else if (result instanceof Integer value) {
      out.setInt(row, value);
    } else if (result instanceof Double value) {
      out.setDouble(row, value);
    } else if (result instanceof Float value) {
      out.setFloat(row, value);
    } else if (result instanceof Boolean value) {
      out.setBoolean(row, value);
    } else {
      byte[] utf8 = ((String) result).getBytes(StandardCharsets.UTF_8);
      out.setBytes(row, utf8, 0, utf8.length);
    }
  }

  @Override
  public void close() {
    process.forget(id);
  }
}
