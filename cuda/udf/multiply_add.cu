// The device form of io.github.sparkgpusched.functions.MultiplyAdd. Conventions: README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.

// Two roundings, as in Java: what compiles this is told not to fuse the product with the sum.
__device__ double multiply_add(double a, double b, double c) { return a * b + c; }
