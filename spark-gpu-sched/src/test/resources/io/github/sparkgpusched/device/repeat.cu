__device__ int repeat(const unsigned char* text, int length, int times, unsigned char* out,
                      int capacity, bool* is_null) {
  if (times < 0) {
    *is_null = true;
    return 0;
  }
  long long bytes = (long long)length * times;
  if (bytes > capacity) return capacity + 1;
  for (int i = 0; i < (int)bytes; i++) out[i] = text[i % length];
  return (int)bytes;
}
