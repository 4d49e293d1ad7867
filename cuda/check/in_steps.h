// The built-in functions that are written in steps, as functions of a row. To be included after their sources.

#pragma once

inline int mandelbrot_iterations(double re, double im, int max_iterations) {
  mandelbrot_iterations_state state;
  mandelbrot_iterations_init(state, re, im, max_iterations);
  while (mandelbrot_iterations_step(state)) {
  }
  return mandelbrot_iterations_done(state);
}

inline bool point_in_ring(double x, double y, const double* xs, int xs_length, const double* ys, int ys_length, bool* is_null,
                          bool* for_host) {
  point_in_ring_state state;
  point_in_ring_init(state, x, y, xs, xs_length, ys, ys_length);
  while (point_in_ring_step(state)) {
  }
  return point_in_ring_done(state, is_null, for_host);
}

inline int levenshtein(const unsigned char* a, int a_length, const unsigned char* b, int b_length, bool* is_null,
                       bool* for_host) {
  levenshtein_state state;
  levenshtein_init(state, a, a_length, b, b_length);
  while (levenshtein_step(state)) {
  }
  return levenshtein_done(state, is_null, for_host);
}
