// A function for each type of arguments and results, for ColumnCallScenarios; the Java forms are there.

__device__ bool flip(bool x) { return !x; }
__device__ int next_byte(int x) { return (signed char)(x + 1); }
__device__ int next_short(int x) { return (short)(x + 1); }
__device__ int next_int(int x) { return (int)((unsigned)x + 1); }
__device__ int next_day(int x) { return (int)((unsigned)x + 1); }
__device__ long long next_long(long long x) { return (long long)((unsigned long long)x + 1); }
__device__ long long next_micro(long long x) { return (long long)((unsigned long long)x + 1); }
__device__ float next_float(float x) { return x + 1; }
__device__ double next_double(double x) { return x + 1; }

__device__ int length_of(const unsigned char*, int bytes) { return bytes; }

__device__ long long sum_of_bytes(const unsigned char* bytes, int length) {
  long long sum = 0;
  for (int i = 0; i < length; i++) sum += (signed char)bytes[i];
  return sum;
}

template <class T>
__device__ double sum_of(const T* values, int length) {
  double sum = length;
  for (int i = 0; i < length; i++) sum += (double)values[i];
  return sum;
}

__device__ double sum_booleans(const unsigned char* values, int length) { return sum_of(values, length); }
__device__ double sum_signed_bytes(const signed char* values, int length) { return sum_of(values, length); }
__device__ double sum_shorts(const short* values, int length) { return sum_of(values, length); }
__device__ double sum_ints(const int* values, int length) { return sum_of(values, length); }
__device__ double sum_longs(const long long* values, int length) { return sum_of(values, length); }
__device__ double sum_floats(const float* values, int length) { return sum_of(values, length); }
__device__ double sum_doubles(const double* values, int length) { return sum_of(values, length); }
__device__ double sum_days(const int* values, int length) { return sum_of(values, length); }
__device__ double sum_micros(const long long* values, int length) { return sum_of(values, length); }

// Longer than a result's place where the text is: such rows are left to the Java form.
__device__ int twice(const unsigned char* text, int bytes, unsigned char* out, int capacity) {
  if (2 * bytes > capacity) return 2 * bytes;
  for (int i = 0; i < bytes; i++) out[i] = out[bytes + i] = text[i];
  return 2 * bytes;
}

__device__ int stars(const unsigned char*, int bytes, unsigned char* out, int) {
  int length = bytes < 60 ? bytes : 60;
  for (int i = 0; i < length; i++) out[i] = '*';
  return length;
}

__device__ double or_seven(double x, bool null) { return null ? 7 : x; }

__device__ int null_if_odd(int x, bool* is_null) {
  *is_null = (x & 1) != 0;
  return x;
}

__device__ int left_if_odd(int x, bool*, bool* for_host) {
  *for_host = (x & 1) != 0;
  return x;
}

__device__ int seven() { return 7; }

__device__ double three(long long a, const unsigned char* b, int bytes, double c) { return (double)a + bytes + c; }

