__device__ unsigned long long too_long_nanos() {
  unsigned long long nanos;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanos));
  return nanos;
}
__device__ double too_long(double x) {
  if (x == 777.0) {
    unsigned long long begin = too_long_nanos();
    while (too_long_nanos() - begin < 8000000000ull) {
    }
  }
  return x;
}
