// The device form of io.github.sparkgpusched.functions.MandelbrotIterations. Conventions:
// README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.

// Each product and each sum is rounded, as in Java: what compiles this is told not to fuse them.
__device__ int mandelbrot_iterations(double re, double im, int max_iterations) {
  double zr = 0;
  double zi = 0;
  double zr2 = 0;
  double zi2 = 0;
  int n = 0;
  // NaN is not <= 4: the loop ends.
  while (n < max_iterations && zr2 + zi2 <= 4) {
    double product = zr * zi;
    zi = product + product + im;
    zr = zr2 - zi2 + re;
    zr2 = zr * zr;
    zi2 = zi * zi;
    n++;
  }
  return n;
}
