// The device form of io.github.sparkgpusched.functions.PointInRing. Conventions: README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.

// Even-odd rule; a vertex of NaNs joins two rings, and no edge to or from it is counted: the
// crossing is NaN then, and x < NaN is false. No product here is followed by a sum, so there is
// nothing that a compiler could fuse. Of arrays of two lengths the Java form throws: such a row is
// left to it.
__device__ bool point_in_ring(double x, double y, const double* xs, int xs_length,
                              const double* ys, int ys_length, bool*, bool* for_host) {
  if (xs_length != ys_length) {
    *for_host = true;
    return false;
  }
  bool inside = false;
  bool was_above = ys_length > 0 && ys[0] > y;
  for (int i = 1; i < ys_length; i++) {
    bool above = ys[i] > y;
    if (above != was_above) {
      double x1 = xs[i - 1];
      double y1 = ys[i - 1];
      if (x < (xs[i] - x1) * (y - y1) / (ys[i] - y1) + x1) {
        inside = !inside;
      }
    }
    was_above = above;
  }
  return inside;
}
