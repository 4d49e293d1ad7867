#ifndef __CUDACC__  // the test double's own fault stands for the trap
inline void __trap() {}
#endif
__device__ double trap_at_777(double x) {
  if (x == 777.0) __trap();
  return x;
}
