__device__ float cosine_similarity(const float* a, int length, const float* b, int length_of_b, bool*, bool* for_host) {
  if (length != length_of_b) {  // the Java form throws
    *for_host = true;
    return 0;
  }
  double product = 0, squares_of_a = 0, squares_of_b = 0;
  for (int i = 0; i < length; i++) {
    product += (double)a[i] * b[i];
    squares_of_a += (double)a[i] * a[i];
    squares_of_b += (double)b[i] * b[i];
  }
  return (float)(product / (sqrt(squares_of_a) * sqrt(squares_of_b)));
}
