// The device form of io.github.sparkgpusched.functions.PointInRing, in steps. Conventions: README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.
//
// Even-odd rule; a vertex of NaNs joins two rings, and no edge to or from it is counted: the
// crossing is NaN then, and x < NaN is false. No product here is followed by a sum, so there is
// nothing that a compiler could fuse. Of arrays of two lengths the Java form throws: such a row is
// left to it.

struct point_in_ring_state {
  double x;
  double y;
  const double* xs;
  const double* ys;
  int next;  // vertex, the end of an edge
  int length;  // less than 0: left to the host
  bool was_above;
  bool inside;
};

__device__ void point_in_ring_init(point_in_ring_state& s, double x, double y, const double* xs,
                                   int xs_length, const double* ys, int ys_length) {
  s = {x, y, xs, ys, 1, xs_length == ys_length ? ys_length : -1, ys_length > 0 && ys[0] > y, false};
}

// Some edges.
__device__ bool point_in_ring_step(point_in_ring_state& s) {
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (int i = 0; i < 8; i++) {
    if (s.next >= s.length) {
      return false;
    }
    bool above = s.ys[s.next] > s.y;
    if (above != s.was_above) {
      double x1 = s.xs[s.next - 1];
      double y1 = s.ys[s.next - 1];
      if (s.x < (s.xs[s.next] - x1) * (s.y - y1) / (s.ys[s.next] - y1) + x1) {
        s.inside = !s.inside;
      }
    }
    s.was_above = above;
    s.next++;
  }
  return true;
}

__device__ bool point_in_ring_done(point_in_ring_state& s, bool*, bool* for_host) {
  *for_host = s.length < 0;
  return s.inside;
}
