package io.github.sparkgpusched.device.cuda;

/**
 * A column in device memory, as kernels want it (columns.cuh): all addresses are the device's.
 *
 * @param values of the first row; of a guard 0 if every row is computed
 * @param validity a byte a row, 0 if it is null; or 0 if no row is. A result always has it
 * @param heap of strings and arrays: what the addresses of rows count from
 * @param slotBytes of string results: bytes of the heap that a row may fill; 0 for all others, as
 *     arguments have {@code repeats} there
 */
public record DeviceColumn(long values, long validity, long heap, long slotBytes) {
  /** In place of a guard: every row is computed. */
  static final DeviceColumn NONE = new DeviceColumn(0, 0, 0, 0);
}
