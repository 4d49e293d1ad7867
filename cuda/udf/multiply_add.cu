// The device form of io.github.sparkgpusched.functions.MultiplyAdd. Conventions: README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++. Not run on a GPU yet; cuda/check runs it
// on the host.

// Two roundings, as in Java. A CUDA compiler makes a fused multiply-add of a * b + c, with one
// rounding and other last bits, unless it is told by name which operations are wanted.
__device__ double multiply_add(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(__dmul_rn(a, b), c);
#else
  return a * b + c;
#endif
}
