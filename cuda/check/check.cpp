// Runs the device functions on the host, on the inputs that DeviceCases.java makes: change a
// generator in both places. Reads lines "function cases digest" and fails where a digest differs.
// The lines are the Java forms' results: DeviceFunctionsTest prints them when they have changed.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../udf/identity.cu"
#include "../udf/levenshtein.cu"
#include "../udf/mandelbrot_iterations.cu"
#include "../udf/multiply_add.cu"
#include "../udf/point_in_ring.cu"
#include "in_steps.h"

namespace {

class Splitmix {
 public:
  explicit Splitmix(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  int below(int bound) { return static_cast<int>((next() >> 33) % bound); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double any_double() { return std::bit_cast<double>(next()); }

 private:
  uint64_t state_;
};

// All NaNs are one.
uint64_t bits(double value) {
  return value != value ? 0x7FF8000000000000 : std::bit_cast<uint64_t>(value);
}

// Exactly as long as the values, on the heap: so a sanitizer sees a read past the end.
template <typename T>
struct Exact {
  explicit Exact(const std::vector<T>& values) : data(new T[values.size()]) {
    length = static_cast<int>(values.size());
    for (int i = 0; i < length; i++) data[i] = values[i];
  }
  ~Exact() { delete[] data; }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  T* data;
  int length;
};

// No result of a function: a row that it left to the host differs from Java's.
constexpr uint64_t FOR_HOST = 0xF0F0F0F0F0F0F0F0;

uint64_t run_identity(int index, Splitmix& random) {
  return bits(identity(index == 0 ? -0.0 : random.any_double()));
}

uint64_t run_multiply_add(int index, Splitmix& random) {
  double arguments[3];
  for (double& argument : arguments) {
    argument = index % 4 == 0 ? random.any_double() : random.unit() - 0.5;
  }
  return bits(multiply_add(arguments[0], arguments[1], arguments[2]));
}

uint64_t run_mandelbrot_iterations(int index, Splitmix& random) {
  bool grid = index % 4 == 0;
  double re = grid ? random.below(17) / 4.0 - 2 : random.unit() * 4 - 2.5;
  double im = grid ? random.below(17) / 4.0 - 2 : random.unit() * 4 - 2;
  return mandelbrot_iterations(re, im, random.below(1000));
}

uint64_t run_point_in_ring(int, Splitmix& random) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> xs;
  std::vector<double> ys;
  for (int rings = 1 + random.below(3); rings > 0; rings--) {
    if (!xs.empty()) {
      xs.push_back(nan);
      ys.push_back(nan);
    }
    size_t first = xs.size();
    for (int vertices = random.below(12); vertices > 0; vertices--) {
      xs.push_back(random.below(17) / 3.0);
      ys.push_back(random.below(17) / 4.0);
    }
    if (xs.size() > first) {
      xs.push_back(xs[first]);
      ys.push_back(ys[first]);
    }
  }
  double x = random.below(33) / 6.0;
  double y = random.below(33) / 8.0;
  Exact<double> exact_xs(xs);
  Exact<double> exact_ys(ys);
  bool null = false;
  bool for_host = false;
  bool inside =
      point_in_ring(x, y, exact_xs.data, exact_xs.length, exact_ys.data, exact_ys.length, &null, &for_host);
  return for_host ? FOR_HOST : inside;
}

std::vector<unsigned char> text(Splitmix& random, int pieces) {
  std::vector<unsigned char> bytes;
  auto write = [&](std::initializer_list<int> next) {
    for (int byte : next) bytes.push_back(static_cast<unsigned char>(byte));
  };
  for (int i = 0; i < pieces; i++) {
    switch (random.below(16)) {
      case 0:
      case 1:
        write({0xC3, 0xA9 + random.below(3)});
        break;
      case 2:
      case 3:
        write({0xE2, 0x82, 0xAC + random.below(3)});
        break;
      case 4:
      case 5:
        write({0xF0, 0x9F, 0x98, 0x80 + random.below(3)});
        break;
      case 6:
        write({0x80 + random.below(128)});
        break;
      case 7:
        write({0xE0 + random.below(21), 0x80 + random.below(64), 0x80 + random.below(64)});
        break;
      default:
        write({'a' + random.below(3)});
    }
  }
  return bytes;
}

uint64_t run_levenshtein(int index, Splitmix& random) {
  int most = index == 7 ? 3700 : index % 64 == 0 ? 300 : 24;
  int least = index == 7 ? 3300 : 0;
  Exact<unsigned char> a(text(random, least + random.below(most - least)));
  Exact<unsigned char> b(text(random, least + random.below(most - least)));
  bool null = false;
  bool for_host = false;
  int distance = levenshtein(a.data, a.length, b.data, b.length, &null, &for_host);
  return for_host ? FOR_HOST : distance;
}

// Rows that these functions leave to the host, and their neighbours that they do not.
bool rows_for_the_host() {
  auto levenshtein_leaves = [](int a_length, int b_length) {
    Exact<unsigned char> a(std::vector<unsigned char>(a_length, 'a'));
    Exact<unsigned char> b(std::vector<unsigned char>(b_length, 'b'));
    bool null = false;
    bool for_host = false;
    int distance = levenshtein(a.data, a_length, b.data, b_length, &null, &for_host);
    return for_host || distance != std::max(a_length, b_length);
  };
  auto point_in_ring_leaves = [](int xs_length, int ys_length) {
    Exact<double> xs(std::vector<double>(xs_length, 1));
    Exact<double> ys(std::vector<double>(ys_length, 1));
    bool null = false;
    bool for_host = false;
    point_in_ring(0, 0, xs.data, xs_length, ys.data, ys_length, &null, &for_host);
    return for_host;
  };
  return !levenshtein_leaves(4095, 6000) && levenshtein_leaves(4096, 4096) && levenshtein_leaves(20000, 5000) &&
         !point_in_ring_leaves(3, 3) && point_in_ring_leaves(3, 4) && point_in_ring_leaves(4, 0);
}

const std::vector<std::pair<std::string, std::function<uint64_t(int, Splitmix&)>>> functions = {
    {"identity", run_identity},
    {"multiply_add", run_multiply_add},
    {"mandelbrot_iterations", run_mandelbrot_iterations},
    {"point_in_ring", run_point_in_ring},
    {"levenshtein", run_levenshtein},
};

std::string digest(size_t function, int cases) {
  Splitmix random(1);
  uint64_t digest = 0xCBF29CE484222325;
  for (int i = 0; i < cases; i++) {
    digest = (digest ^ functions[function].second(i, random)) * 0x100000001B3;
  }
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(digest));
  return hex;
}

}  // namespace

int main() {
  std::map<std::string, std::pair<int, std::string>> expected;
  std::string name;
  std::pair<int, std::string> value;
  while (std::cin >> name >> value.first >> value.second) expected[name] = value;

  bool failed = expected.size() != functions.size();
  if (failed) std::cout << "digests.txt has other functions than check.cpp\n";
  for (size_t i = 0; i < functions.size(); i++) {
    const auto& [cases, java] = expected[functions[i].first];
    std::string device = digest(i, cases);
    bool same = cases > 0 && device == java;
    std::cout << functions[i].first << ": " << cases << " cases, "
              << (same ? "same as Java" : "DIFFERS from Java: " + device + ", not " + java) << "\n";
    failed |= !same;
  }
  if (!rows_for_the_host()) {
    std::cout << "levenshtein or point_in_ring leaves other rows to the host than it should\n";
    failed = true;
  }
  return failed ? 1 : 0;
}
