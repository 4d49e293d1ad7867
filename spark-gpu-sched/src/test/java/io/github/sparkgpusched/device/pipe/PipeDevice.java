package io.github.sparkgpusched.device.pipe;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** A process that computes {@code call} of UDFs. Owner's thread, but for what says otherwise. */
final class PipeDevice implements CallDevice {
  private static final int DEPTH = 2;

  private static final Set<DataType> TYPES =
      Set.of(
          DataTypes.BooleanType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.StringType);

  private final String name;
  private final PipeSettings settings;

  /** Null until opened and after closed. */
  private PipeProcess process;

  PipeDevice(String name, PipeSettings settings) {
    this.name = name;
    this.settings = settings;
  }

  @Override
  public String name() {
    return name;
  }

  /** Any thread. */
  @Override
  public WorkerSpec spec() {
    long launchNanos = TimeUnit.MILLISECONDS.toNanos(settings.delayMillis());
    return WorkerSpec.staged(1, launchNanos, 0, DEPTH);
  }

  /** Any thread. */
  @Override
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    for (DataType type : call.argumentTypes()) {
      if (!TYPES.contains(type)) {
        return Optional.of("a pipe takes no " + type.simpleString());
      }
    }
    if (!TYPES.contains(call.resultType())) {
      return Optional.of("a pipe gives no " + call.resultType().simpleString());
    }
    boolean called = udf instanceof UDF1 || udf instanceof UDF2 || udf instanceof UDF3;
    return called && udf instanceof Serializable
        ? Optional.empty()
        : Optional.of("a pipe computes UDF1 to UDF3 that can be serialized");
  }

  @Override
  public void open() throws DeviceFailedException {
    try {
      process = PipeProcess.start(settings);
    } catch (IOException e) {
      throw new DeviceFailedException(name + " has no process: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean recover() throws DeviceFailedException {
    close();
    if (settings.recovers()) {
      open();
    }
    return settings.recovers();
  }

  @Override
  public Launcher launcher(List<CallOnDevice> calls, TaskWork work) throws DeviceFailedException {
    return new PipeLauncher(this, calls);
  }

  PipeProcess process() {
    return process;
  }

  PipeSettings settings() {
    return settings;
  }

  DeviceFailedException failed(String what, Exception cause) {
    return new DeviceFailedException(name + " " + what, cause);
  }

  @Override
  public void close() {
    if (process != null) {
      process.end();
      process = null;
    }
  }
}
