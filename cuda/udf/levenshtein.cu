// The device form of io.github.sparkgpusched.functions.Levenshtein. Conventions: README.md.
// Compiles as CUDA C++ and, with -D__device__=, as C++; cuda/check runs it on the host.
//
// A thread has little memory, so the table of distances, one row a character of the longer string
// and one column a character of the shorter, is computed in strips of a few rows. A strip needs
// the row above it. Neighbours in a row differ by -1, 0 or 1: the row is kept in 2 bits a
// character. Two texts of 4,096 characters and more have no room for it here: the Java form computes
// such a row. It would keep a thread busy for some 17 million cells anyway.

// Decodes the character at *at, moves *at behind it, and gives U+FFFD for malformed input where a
// Java string does: for each longest beginning of a character, and for each encoded surrogate.
__device__ int levenshtein_next(const unsigned char* bytes, int length, int* at) {
  int first = bytes[(*at)++];
  if (first < 0x80) {
    return first;
  }
  int needed = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  int value = first & (0x3F >> needed);
  int got = 0;
  for (; got < needed && *at < length; got++, (*at)++) {
    int next = bytes[*at];
    int least = got > 0 ? 0x80 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int most = got == 0 && first == 0xF4 ? 0x8F : 0xBF;
    if (next < least || next > most) {
      break;
    }
    value = value << 6 | (next & 0x3F);
  }
  bool whole = needed > 0 && got == needed && (value < 0xD800 || value > 0xDFFF);
  return whole ? value : 0xFFFD;
}

__device__ int levenshtein_count(const unsigned char* bytes, int length) {
  int count = 0;
  for (int at = 0; at < length; count++) {
    levenshtein_next(bytes, length, &at);
  }
  return count;
}

__device__ int levenshtein(const unsigned char* a, int a_length, const unsigned char* b,
                           int b_length, bool*, bool* for_host) {
  const int strip = 16;
  const int most_steps = 1024;
  int n = levenshtein_count(a, a_length);
  int m = levenshtein_count(b, b_length);
  if (n < m) {
    const unsigned char* bytes = a;
    a = b;
    b = bytes;
    int length = a_length;
    a_length = b_length;
    b_length = length;
    int count = n;
    n = m;
    m = count;
  }

  // For each character of b, 1 + the difference of the cell above and its left neighbour.
  unsigned char steps[most_steps];
  int steps_length = m / 4 + 1;
  if (steps_length > most_steps) {
    *for_host = true;
    return 0;
  }
  // The row above the first strip is 0, 1, 2, and so on: all differences are 1.
  for (int i = 0; i < steps_length; i++) {
    steps[i] = 0xAA;
  }

  int result = m;
  int a_at = 0;
  for (int top = 0; top < n; top += strip) {
    int rows = n - top < strip ? n - top : strip;
    int characters[strip];
    // The column at hand, from the row above the strip down.
    int cells[strip + 1];
    cells[0] = top;
    for (int i = 0; i < rows; i++) {
      characters[i] = levenshtein_next(a, a_length, &a_at);
      cells[i + 1] = top + i + 1;
    }
    int b_at = 0;
    for (int j = 0; j < m; j++) {
      int character = levenshtein_next(b, b_length, &b_at);
      int shift = 2 * (j & 3);
      int left_below = cells[rows];
      int diagonal = cells[0];
      cells[0] += ((steps[j >> 2] >> shift) & 3) - 1;
      for (int i = 0; i < rows; i++) {
        int left = cells[i + 1];
        int above = cells[i];
        int replaced = characters[i] == character ? diagonal : diagonal + 1;
        int moved = (left < above ? left : above) + 1;
        cells[i + 1] = replaced < moved ? replaced : moved;
        diagonal = left;
      }
      int step = 1 + cells[rows] - left_below;
      steps[j >> 2] = (unsigned char)((steps[j >> 2] & ~(3 << shift)) | step << shift);
    }
    result = cells[rows];
  }
  return result;
}
