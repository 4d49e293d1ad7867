// The device form of io.github.sparkgpusched.functions.MandelbrotIterations, in steps. Conventions:
// README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.

struct mandelbrot_iterations_state {
  double re;
  double im;
  double zr;
  double zi;
  double zr2;
  double zi2;
  int n;
  int most;
};

__device__ void mandelbrot_iterations_init(mandelbrot_iterations_state& s, double re, double im,
                                           int max_iterations) {
  s = {re, im, 0, 0, 0, 0, 0, max_iterations};
}

// Some iterations. Each product and each sum is rounded, as in Java: what compiles this is told not to fuse them.
__device__ bool mandelbrot_iterations_step(mandelbrot_iterations_state& s) {
  for (int i = 0; i < 8; i++) {
    // NaN is not <= 4: the row ends.
    if (!(s.n < s.most && s.zr2 + s.zi2 <= 4)) {
      return false;
    }
    double product = s.zr * s.zi;
    s.zi = product + product + s.im;
    s.zr = s.zr2 - s.zi2 + s.re;
    s.zr2 = s.zr * s.zr;
    s.zi2 = s.zi * s.zi;
    s.n++;
  }
  return true;
}

__device__ int mandelbrot_iterations_done(mandelbrot_iterations_state& s) { return s.n; }
