// The device form of io.github.sparkgpusched.functions.Identity. Conventions: README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.

__device__ double identity(double value) { return value; }
