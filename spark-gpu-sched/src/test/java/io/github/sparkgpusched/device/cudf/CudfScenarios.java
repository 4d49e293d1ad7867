package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.MemoryCleaner;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import ai.rapids.cudf.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;

/**
 * What {@link CudfDoubleTest} runs in a process that finds the double of cuDF's natives: the first
 * argument names a scenario. Ends with status 0 if it returns and has left no byte on the device.
 */
final class CudfScenarios {
  private static final List<Integer> ROWS = List.of(0, 1, 31, 32, 33, 1000, 4097);

  private CudfScenarios() {}

  public static void main(String[] arguments) throws Exception {
    check(Rmm.class.desiredAssertionStatus(), "assertions are off");
    Rmm.initialize(RmmAllocationMode.CUDA_DEFAULT, null, 0);
    switch (arguments[0]) {
      case "roundTrips" -> roundTrips();
      case "prefixSums" -> prefixSums();
      case "outOfMemory" -> outOfMemory();
      case "parts" -> parts();
      case "nulls" -> nulls();
      case "buffers" -> buffers();
      case "ownColumns" -> ownColumns();
      case "threads" -> threads();
      case "misuse" -> misuse();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    check(RmmFaults.bytesAllocated() == 0, RmmFaults.bytesAllocated() + " bytes are left");
    check(Rmm.getTotalBytesAllocated() == 0, "RMM counts other bytes");
    System.out.println("scenario done");
    System.out.flush();
    // As a device's streams have threads, which nobody ends.
    Runtime.getRuntime().halt(0);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private static void same(Object expected, Object actual, String what) {
    check(expected.equals(actual), () -> what + ": " + actual + " in place of " + expected);
  }

  private static void check(boolean holds, java.util.function.Supplier<String> what) {
    if (!holds) {
      throw new AssertionError(what.get());
    }
  }

  private static void roundTrips() {
    for (CudfType type : CudfType.all()) {
      for (int rows : ROWS) {
        for (boolean withNulls : new boolean[] {false, true}) {
          String what = rows + " rows of " + type + (withNulls ? " with nulls" : "");
          List<Object> values = type.values(rows, withNulls, rows);
          try (ColumnVector column = type.columnOf(values)) {
            same((long) rows, column.getRowCount(), "rows of " + what);
            same((long) Collections.frequency(values, null), column.getNullCount(), what);
            same(values, type.valuesOf(column), what);
          }
          same(0L, RmmFaults.bytesAllocated(), "bytes left by " + what);
        }
      }
    }
  }

  private static void prefixSums() {
    for (int rows : ROWS) {
      for (boolean withNulls : new boolean[] {false, true}) {
        List<Object> values = CudfType.INT32.values(rows, withNulls, rows);
        List<Object> sums = new ArrayList<>();
        int sum = 0;
        for (Object value : values) {
          sum += value == null ? 0 : (Integer) value;
          sums.add(value == null ? null : sum);
        }
        try (ColumnVector column = CudfType.INT32.columnOf(values);
            ColumnVector scanned = column.prefixSum()) {
          same(DType.INT32, scanned.getType(), "the type of a sum");
          same(sums, CudfType.INT32.valuesOf(scanned), "sums of " + rows + " rows");
        }
      }
    }
  }

  /** Each allocation fails in turn; all that there was before is given back. */
  private static void outOfMemory() {
    for (CudfType type : CudfType.all()) {
      List<Object> values = type.values(33, true, 1);
      RmmFaults.failAllocation(0, RmmFaults.OUT_OF_MEMORY);
      type.columnOf(values).close();
      long allocations = RmmFaults.allocations();
      check(allocations >= 2, type + " needs " + allocations + " allocations");
      for (long n = 1; n <= allocations; n++) {
        boolean failed = false;
        RmmFaults.failAllocation(n, RmmFaults.OUT_OF_MEMORY);
        try (ColumnVector column = type.columnOf(values)) {
          check(false, "allocation " + n + " of " + column + " did not fail");
        } catch (OutOfMemoryError e) {
          failed = true;
        }
        check(failed, "no error");
        if (type.name().startsWith("LIST")) {
          // cuDF itself leaves what it had of a list to its cleaner.
          MemoryCleaner.cleanAllRmmBlockers();
        }
        same(0L, RmmFaults.bytesAllocated(), "bytes left after allocation " + n + " of " + type);
        // Once only.
        type.columnOf(values).close();
      }
    }
    RmmFaults.failAllocation(1, "java/lang/IllegalStateException");
    try (DeviceMemoryBuffer buffer = DeviceMemoryBuffer.allocate(8)) {
      check(false, "no error, but " + buffer);
    } catch (IllegalStateException e) {
      check(e.getMessage().contains("8 bytes"), e.getMessage());
    }
  }

  private static void parts() {
    for (CudfType type : CudfType.all()) {
      List<Object> values = type.values(1000, true, 3);
      try (ColumnVector column = type.columnOf(values)) {
        try (ColumnVector part = column.subVector(33, 97)) {
          same(values.subList(33, 97), type.valuesOf(part), "a part of " + type);
        }
        ColumnVector[] parts = column.split(31, 31, 500);
        List<Object> all = new ArrayList<>();
        for (ColumnVector part : parts) {
          all.addAll(type.valuesOf(part));
          part.close();
        }
        same(values, all, "all parts of " + type);
      }
    }
  }

  /** Columns of one value, or of null alone. */
  private static void nulls() {
    for (DType type :
        List.of(
            DType.BOOL8,
            DType.INT8,
            DType.INT16,
            DType.INT32,
            DType.INT64,
            DType.FLOAT32,
            DType.FLOAT64,
            DType.TIMESTAMP_DAYS,
            DType.TIMESTAMP_MICROSECONDS,
            DType.STRING)) {
      try (Scalar scalar = Scalar.fromNull(type);
          ColumnVector column = ColumnVector.fromScalar(scalar, 33)) {
        same(type, column.getType(), "the type of nulls");
        same(33L, column.getNullCount(), "nulls of " + type);
      }
    }
    try (Scalar scalar = Scalar.fromInt(7);
        ColumnVector column = ColumnVector.fromScalar(scalar, 3)) {
      same(List.of(7, 7, 7), CudfType.INT32.valuesOf(column), "a column of 7");
    }
    try (Scalar scalar = Scalar.fromString("ab");
        ColumnVector column = ColumnVector.fromScalar(scalar, 2)) {
      same(List.of("ab", "ab"), CudfType.STRING.valuesOf(column), "a column of ab");
    }
  }

  private static void buffers() {
    try (HostMemoryBuffer host = HostMemoryBuffer.allocate(64);
        HostMemoryBuffer back = HostMemoryBuffer.allocate(16);
        DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(64);
        DeviceMemoryBuffer copy = Rmm.alloc(64)) {
      IntStream.range(0, 64).forEach(i -> host.setByte(i, (byte) i));
      device.copyFromHostBuffer(host);
      copy.copyFromDeviceBufferAsync(0, device, 0, 64, Cuda.DEFAULT_STREAM);
      try (DeviceMemoryBuffer part = copy.slice(48, 16)) {
        back.copyFromDeviceBuffer(part);
      }
      same((byte) 48, back.getByte(0), "the first byte of a slice");
      device.copyFromMemoryBuffer(0, host, 32, 32, Cuda.DEFAULT_STREAM);
      back.copyFromMemoryBuffer(0, device, 0, 16, Cuda.DEFAULT_STREAM);
      same((byte) 32, back.getByte(0), "the first byte of a part");
      check(Cuda.isPtdsEnabled(), "one default stream for all threads");
      same(2L, Cuda.DEFAULT_STREAM.getStream(), "the default stream");
    }
    DeviceMemoryBuffer.allocate(0).close();
    try (Cuda.Stream stream = new Cuda.Stream(true);
        Cuda.Event event = new Cuda.Event()) {
      event.record(stream);
      stream.sync();
      event.sync();
      check(event.hasCompleted(), "an event is not complete");
    }
  }

  /** Columns that are made of buffers, as functions make them, with a null count or without. */
  private static void ownColumns() {
    List<Object> values = CudfType.INT32.values(33, true, 5);
    try (ColumnVector column = CudfType.INT32.columnOf(values)) {
      for (Optional<Long> count :
          List.of(Optional.of(column.getNullCount()), Optional.<Long>empty())) {
        try (ColumnVector own =
            new ColumnVector(
                DType.INT32,
                33,
                count,
                copyOf(column.getData()),
                copyOf(column.getValid()),
                null)) {
          same(column.getNullCount(), own.getNullCount(), "nulls that are " + count);
          same(values, CudfType.INT32.valuesOf(own), "values");
        }
        // The elements are the integers, two a list; a list that is null must be empty.
        DeviceMemoryBuffer elements = copyOf(column.getData());
        DeviceMemoryBuffer valid = copyOf(column.getValid());
        try (ColumnView child = new ColumnView(DType.INT32, 32, count, elements, valid);
            ColumnVector lists =
                new ColumnVector(
                    DType.LIST,
                    16,
                    Optional.of(0L),
                    null,
                    null,
                    ints(IntStream.rangeClosed(0, 16).map(i -> 2 * i).toArray()),
                    new ArrayList<>(List.of(elements, valid)),
                    new long[] {child.getNativeView()})) {
          CudfType type = CudfType.list(DType.INT32, CudfType.INT32);
          same(Arrays.asList(values.get(4), values.get(5)), type.valuesOf(lists).get(2), "a list");
          try (ColumnView view = lists.getChildColumnView(0)) {
            same(32L, view.getRowCount(), "elements");
            same(elements.getAddress(), view.getData().getAddress(), "their address");
          }
        }
      }
    }
  }

  private static DeviceMemoryBuffer copyOf(ai.rapids.cudf.BaseDeviceMemoryBuffer buffer) {
    DeviceMemoryBuffer copy = DeviceMemoryBuffer.allocate(buffer.getLength());
    copy.copyFromDeviceBufferAsync(0, buffer, 0, buffer.getLength(), Cuda.DEFAULT_STREAM);
    return copy;
  }

  private static DeviceMemoryBuffer ints(int... values) {
    try (HostMemoryBuffer host = HostMemoryBuffer.allocate(4L * values.length)) {
      host.setInts(0, values, 0, values.length);
      DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(host.getLength());
      device.copyFromHostBuffer(host);
      return device;
    }
  }

  /** Any thread that calls has the primary context, which the driver's own functions then use. */
  private static void threads() throws InterruptedException {
    CUcontext[] contexts = {new CUcontext(), new CUcontext(), new CUcontext()};
    Throwable[] failed = new Throwable[1];
    Runnable work =
        () -> {
          try {
            JCudaDriver.setExceptionsEnabled(true);
            JCudaDriver.cuCtxGetCurrent(contexts[1]);
            same(0, Cuda.getDevice(), "the device");
            JCudaDriver.cuCtxGetCurrent(contexts[2]);
          } catch (Throwable e) {
            failed[0] = e;
          }
        };
    Thread thread = new Thread(work);
    JCudaDriver.cuCtxGetCurrent(contexts[0]);
    thread.start();
    thread.join();
    check(failed[0] == null, "a thread failed: " + failed[0]);
    same(new CUcontext(), contexts[1], "the context of a thread that has called nothing");
    check(!contexts[0].equals(new CUcontext()), "the first thread has no context");
    same(contexts[0], contexts[2], "the context of a thread that has called");
  }

  private static void misuse() {
    try (DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(8);
        HostMemoryBuffer host = HostMemoryBuffer.allocate(8)) {
      // cuDF's assertions see to its own buffers; those of others are the driver's to refuse.
      refused(() -> new ColumnVector(DType.INT32, 3, Optional.of(0L), null, null, null));
      refused(() -> Cuda.memset(device.getAddress(), (byte) 1, 9));
      refused(() -> Cuda.memset(host.getAddress(), (byte) 1, 8));
      refused(() -> Cuda.setDevice(1));
    }
    // A mask that is not padded, as cuDF reads all of it.
    try (ColumnVector column =
        new ColumnVector(DType.INT32, 2, Optional.of(1L), ints(1, 2), ints(1), null)) {
      refused(column::copyToHost);
    }
    try (ColumnVector column = ColumnVector.fromInts(1, 2)) {
      missing(column::sum);
    }
  }

  private static void refused(Runnable call) {
    try {
      call.run();
    } catch (ai.rapids.cudf.CudaException | ai.rapids.cudf.CudfException e) {
      System.out.println("refused: " + e);
      return;
    }
    throw new AssertionError("not refused");
  }

  private static void missing(Runnable call) {
    try {
      call.run();
    } catch (UnsatisfiedLinkError e) {
      return;
    }
    throw new AssertionError("the double has more than it says");
  }
}
