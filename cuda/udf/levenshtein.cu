// The device form of io.github.sparkgpusched.functions.Levenshtein, in steps. Conventions: README.md.
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

struct levenshtein_state {
  // The longer string first.
  const unsigned char* a;
  const unsigned char* b;
  int a_length;
  int b_length;
  // In characters.
  int n;
  int m;
  // What is next: the strip's first row, its first byte of a, the column, its first byte of b.
  int top;
  int a_at;
  int column;
  int b_at;
  int result;
  bool for_host;
  // The strip's characters, and the column at hand, from the row above the strip down.
  int characters[16];
  int cells[17];
  // For each character of b, 1 + the difference of the cell above and its left neighbour.
  unsigned char steps[1024];
};

__device__ void levenshtein_init(levenshtein_state& s, const unsigned char* a, int a_length,
                                 const unsigned char* b, int b_length) {
  int n = levenshtein_count(a, a_length);
  int m = levenshtein_count(b, b_length);
  bool swap = n < m;
  s.a = swap ? b : a;
  s.b = swap ? a : b;
  s.a_length = swap ? b_length : a_length;
  s.b_length = swap ? a_length : b_length;
  s.n = swap ? m : n;
  s.m = swap ? n : m;
  s.top = 0;
  s.a_at = 0;
  s.column = 0;
  s.b_at = 0;
  s.result = s.m;
  int steps_length = s.m / 4 + 1;
  s.for_host = steps_length > (int)sizeof(s.steps);
  // The row above the first strip is 0, 1, 2, and so on: all differences are 1.
  for (int i = 0; i < steps_length && !s.for_host; i++) {
    s.steps[i] = 0xAA;
  }
}

// Some columns of a strip.
__device__ bool levenshtein_step(levenshtein_state& s) {
  const int strip = 16;
  const int most_columns = 32;
  if (s.for_host || s.top >= s.n) {
    return false;
  }
  int rows = s.n - s.top < strip ? s.n - s.top : strip;
  int characters[strip];
  int cells[strip + 1];
  if (s.column == 0) {
    cells[0] = s.top;
    for (int i = 0; i < rows; i++) {
      characters[i] = levenshtein_next(s.a, s.a_length, &s.a_at);
      cells[i + 1] = s.top + i + 1;
    }
  } else {
    cells[0] = s.cells[0];
    for (int i = 0; i < rows; i++) {
      characters[i] = s.characters[i];
      cells[i + 1] = s.cells[i + 1];
    }
  }
  int b_at = s.b_at;
  int until = s.m - s.column < most_columns ? s.m : s.column + most_columns;
  for (int j = s.column; j < until; j++) {
    int character = levenshtein_next(s.b, s.b_length, &b_at);
    int shift = 2 * (j & 3);
    int left_below = cells[rows];
    int diagonal = cells[0];
    cells[0] += ((s.steps[j >> 2] >> shift) & 3) - 1;
    for (int i = 0; i < rows; i++) {
      int left = cells[i + 1];
      int above = cells[i];
      int replaced = characters[i] == character ? diagonal : diagonal + 1;
      int moved = (left < above ? left : above) + 1;
      cells[i + 1] = replaced < moved ? replaced : moved;
      diagonal = left;
    }
    int step = 1 + cells[rows] - left_below;
    s.steps[j >> 2] = (unsigned char)((s.steps[j >> 2] & ~(3 << shift)) | step << shift);
  }
  if (until < s.m) {
    s.column = until;
    s.b_at = b_at;
    s.cells[0] = cells[0];
    for (int i = 0; i < rows; i++) {
      s.characters[i] = characters[i];
      s.cells[i + 1] = cells[i + 1];
    }
    return true;
  }
  s.column = 0;
  s.b_at = 0;
  s.result = cells[rows];
  s.top += strip;
  return s.top < s.n;
}

__device__ int levenshtein_done(levenshtein_state& s, bool*, bool* for_host) {
  *for_host = s.for_host;
  return s.result;
}
