// Functions of a row whose cost a workload sets, and plain kernels of a thread a row beside them.

#include "gpusched/udf.cuh"

// A loop of `steps` steps, of five instructions each.
__device__ int spin(int steps) {
  unsigned x = (unsigned)steps;
#pragma unroll 1
  for (int i = 0; i < steps; i++) x = (x * 1664525u + 1013904223u) ^ (unsigned)i;
  return (int)x;
}

// As many loads as a row has steps, each from where the one before says, in a table of a million ints.
__device__ int gather(int steps, long long table) {
  const int* next = (const int*)table;
  unsigned at = (unsigned)steps * 2654435761u;
#pragma unroll 1
  for (int i = 0; i < steps; i++) at = (unsigned)next[at & 0xFFFFF] + (unsigned)i;
  return (int)at;
}

GPUSCHED_UDF(spin, false, gpusched::Int, gpusched::Int)
GPUSCHED_UDF(gather, false, gpusched::Int, gpusched::Int, gpusched::Long)
GPUSCHED_KERNEL(spin, 1, )
GPUSCHED_KERNEL(gather, 1, )

// Headers of a commit before there were functions in steps know none (run --of).
#ifdef GPUSCHED_STEP_UDF

// spin in steps, of several of its own.
struct spin_in_steps_state {
  unsigned x;
  int i;
  int steps;
};
__device__ void spin_in_steps_init(spin_in_steps_state& s, int steps) { s = {(unsigned)steps, 0, steps}; }
__device__ bool spin_in_steps_step(spin_in_steps_state& s) {
#pragma unroll
  for (int n = 0; n < 8; n++) {
    if (s.i >= s.steps) return false;
    s.x = (s.x * 1664525u + 1013904223u) ^ (unsigned)s.i;
    s.i++;
  }
  return true;
}
__device__ int spin_in_steps_done(spin_in_steps_state& s) { return (int)s.x; }
GPUSCHED_STEP_UDF(spin_in_steps, false, gpusched::Int, gpusched::Int)
GPUSCHED_KERNEL(spin_in_steps, 1, )

#include "udf/mandelbrot_iterations.cu"
GPUSCHED_STEP_UDF(mandelbrot_iterations, false, gpusched::Int, gpusched::Double, gpusched::Double, gpusched::Int)
GPUSCHED_KERNEL(mandelbrot_iterations, 1, )

#endif

struct Rows {
  const int* steps;
  const long long* table;
  int* result;
  unsigned char* validity;
  long long rows;
};

extern "C" __global__ void __launch_bounds__(256) spin_row(const __grid_constant__ Rows rows) {
  long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows.rows) return;
  rows.result[row] = spin(rows.steps[row]);
  rows.validity[row] = 1;
}

extern "C" __global__ void __launch_bounds__(256) gather_row(const __grid_constant__ Rows rows) {
  long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows.rows) return;
  rows.result[row] = gather(rows.steps[row], rows.table[row]);
  rows.validity[row] = 1;
}
