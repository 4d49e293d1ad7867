// Products and sums may be fused, which there are none of: roots and quotients are rounded as Java's.
__device__ double quotient(double x) { return sqrt(x < 0 ? -x : x) / 3; }
