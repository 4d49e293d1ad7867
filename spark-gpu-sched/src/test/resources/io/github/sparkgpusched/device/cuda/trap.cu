__device__ double trap_at_777(double x) {
  if (x == 777.0) __trap();
  return x;
}
