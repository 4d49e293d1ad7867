// What instructions make of numbers. `in` has an instruction's operands as they are in their registers.

#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "program.h"

namespace ptx {

inline u64 cut(u64 value, u32 bytes) { return bytes == 8 ? value : value & ((u64{1} << bytes * 8) - 1); }
inline i64 extend(u64 value, u32 bytes) {
  u32 shift = 64 - bytes * 8;
  return static_cast<i64>(value << shift) >> shift;
}

// An operand's bits as a number of the type: cut, sign-extended if it is signed.
inline u64 number(u64 bits, Type type) {
  if (type.kind == 'p') return bits != 0;
  return type.kind == 's' ? static_cast<u64>(extend(bits, type.bytes)) : cut(bits, type.bytes);
}

inline double as_double(u64 bits, Type type) {
  return type.bytes == 8 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<u32>(bits));
}
inline u64 bits_of(double value, Type type) {
  return type.bytes == 8 ? std::bit_cast<u64>(value) : std::bit_cast<u32>(static_cast<float>(value));
}

// Of 32-bit floats the result is rounded twice; for these operations that is what one rounding gives.
inline u64 float_result(const Instruction& i, const u64* in) {
  double a = as_double(number(in[0], i.type), i.type);
  double b = as_double(number(in[1], i.type), i.type);
  switch (i.op) {
    case Op::ADD:
      return bits_of(a + b, i.type);
    case Op::SUB:
      return bits_of(a - b, i.type);
    case Op::MUL:
      return bits_of(a * b, i.type);
    case Op::DIV:
      return bits_of(a / b, i.type);
    case Op::SQRT:
      return bits_of(std::sqrt(a), i.type);
    case Op::RCP:
      return bits_of(1 / a, i.type);
    case Op::NEG:
      return bits_of(-a, i.type);
    case Op::ABS:
      return bits_of(std::fabs(a), i.type);
    case Op::MIN:
      return bits_of(std::fmin(a, b), i.type);
    case Op::MAX:
      return bits_of(std::fmax(a, b), i.type);
    case Op::MAD: {
      double c = as_double(number(in[2], i.type), i.type);
      if (i.type.bytes == 8) return bits_of(std::fma(a, b, c), i.type);
      return std::bit_cast<u32>(std::fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    }
    default:
      throw Problem("not known here: an operation on floats");
  }
}

inline u64 int_result(const Instruction& i, const u64* in) {
  u64 a = number(in[0], i.type);
  u64 b = number(in[1], i.type);
  bool is_signed = i.type.kind == 's';
  u32 width = i.type.bytes * 8;
  switch (i.op) {
    case Op::ADD:
      return a + b;
    case Op::SUB:
      return a - b;
    case Op::MUL:
    case Op::MUL_WIDE:
      return a * b;
    case Op::MUL_HIGH:
      if (is_signed)
        return static_cast<u64>((static_cast<__int128>(static_cast<i64>(a)) * static_cast<i64>(b)) >> width);
      return static_cast<u64>((static_cast<unsigned __int128>(a) * b) >> width);
    case Op::MAD:
      return a * b + number(in[2], i.type);
    case Op::MAD_WIDE:
      return a * b + in[2];
    case Op::DIV:
    case Op::REM:
      if (b == 0) throw Problem("a division by 0");
      if (is_signed) {
        if (static_cast<i64>(b) == -1) return i.op == Op::DIV ? 0 - a : 0;
        i64 quotient = static_cast<i64>(a) / static_cast<i64>(b);
        return i.op == Op::DIV ? static_cast<u64>(quotient) : a - static_cast<u64>(quotient) * b;
      }
      return i.op == Op::DIV ? a / b : a % b;
    case Op::NEG:
      return 0 - a;
    case Op::ABS:
      return is_signed && static_cast<i64>(a) < 0 ? 0 - a : a;
    case Op::MIN:
      return is_signed ? static_cast<u64>(std::min(static_cast<i64>(a), static_cast<i64>(b))) : std::min(a, b);
    case Op::MAX:
      return is_signed ? static_cast<u64>(std::max(static_cast<i64>(a), static_cast<i64>(b))) : std::max(a, b);
    case Op::AND:
      return a & b;
    case Op::OR:
      return a | b;
    case Op::XOR:
      return a ^ b;
    case Op::NOT:
      return i.type.kind == 'p' ? a ^ 1 : ~a;
    case Op::SHL: {
      u64 by = cut(in[1], 4);
      return by >= width ? 0 : a << by;
    }
    case Op::SHR: {
      u64 by = cut(in[1], 4);
      if (is_signed) return static_cast<u64>(static_cast<i64>(a) >> std::min<u64>(by, 63));
      return by >= width ? 0 : a >> by;
    }
    case Op::BFI: {
      u64 position = in[2] & 255, length = in[3] & 255;
      u64 result = b;
      for (u64 bit = 0; bit < length && position + bit < width; bit++) {
        u64 mask = u64{1} << (position + bit);
        result = (a >> bit & 1) != 0 ? result | mask : result & ~mask;
      }
      return result;
    }
    case Op::BFIND: {
      u64 bits = is_signed && static_cast<i64>(a) < 0 ? cut(~a, i.type.bytes) : cut(a, i.type.bytes);
      if (bits == 0) return 0xFFFFFFFF;
      u32 highest = 63 - static_cast<u32>(std::countl_zero(bits));
      return i.shift_amount ? width - 1 - highest : highest;
    }
    case Op::BREV: {
      u64 result = 0;
      for (u32 bit = 0; bit < width; bit++) result |= (a >> bit & 1) << (width - 1 - bit);
      return result;
    }
    case Op::POPC:
      return static_cast<u64>(std::popcount(a));
    case Op::CLZ:
      return static_cast<u64>(std::countl_zero(a)) - (64 - width);
    default:
      throw Problem("not known here: an operation on integers");
  }
}

inline bool compare(const Instruction& i, const u64* in) {
  u64 a = number(in[0], i.type), b = number(in[1], i.type);
  auto by = [&](auto x, auto y) {
    switch (i.compare) {
      case Compare::EQ:
        return x == y;
      case Compare::NE:
        return x != y;
      case Compare::LT:
        return x < y;
      case Compare::LE:
        return x <= y;
      case Compare::GT:
        return x > y;
      case Compare::GE:
        return x >= y;
      default:  // NUM, of numbers: of NaNs it does not come here
        return !i.unordered;
    }
  };
  if (i.type.kind == 'f') {
    double x = as_double(a, i.type), y = as_double(b, i.type);
    return std::isnan(x) || std::isnan(y) ? i.unordered : by(x, y);
  }
  return i.type.kind == 's' ? by(static_cast<i64>(a), static_cast<i64>(b)) : by(a, b);
}

inline u64 convert(const Instruction& i, const u64* in) {
  u64 raw = number(in[0], i.from);
  bool to_float = i.type.kind == 'f', from_float = i.from.kind == 'f';
  if (!from_float && !to_float) return cut(raw, i.type.bytes);
  if (!from_float) {
    if (i.from.kind == 's') {
      return i.type.bytes == 8 ? std::bit_cast<u64>(static_cast<double>(static_cast<i64>(raw)))
                               : std::bit_cast<u32>(static_cast<float>(static_cast<i64>(raw)));
    }
    return i.type.bytes == 8 ? std::bit_cast<u64>(static_cast<double>(raw))
                             : std::bit_cast<u32>(static_cast<float>(raw));
  }
  double x = as_double(raw, i.from);
  if (i.type == i.from || !to_float) {
    x = i.round == Round::ZERO   ? std::trunc(x)
        : i.round == Round::DOWN ? std::floor(x)
        : i.round == Round::UP   ? std::ceil(x)
                                 : std::nearbyint(x);
  }
  if (to_float) return bits_of(x, i.type);
  u32 width = i.type.bytes * 8;
  // Not a number: 0 of 32 bits and fewer, of a float; else the sign bit (PTX ISA 9.0). Out of range: the nearest there is.
  if (std::isnan(x)) return i.from.bytes < 8 && i.type.bytes < 8 ? 0 : u64{1} << (width - 1);
  double least = i.type.kind == 's' ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0;
  double beyond = std::ldexp(1.0, static_cast<int>(width) - (i.type.kind == 's' ? 1 : 0));
  u64 greatest = i.type.kind == 's' ? (u64{1} << (width - 1)) - 1 : cut(~u64{0}, i.type.bytes);
  if (x >= beyond) return greatest;
  x = std::max(x, least);
  return cut(i.type.kind == 's' ? static_cast<u64>(static_cast<i64>(x)) : static_cast<u64>(x), i.type.bytes);
}

// The result, for a register of the instruction's width.
inline u64 arithmetic(const Instruction& i, const u64* in) {
  if (i.op == Op::SETP) return compare(i, in);
  if (i.op == Op::CVT) return convert(i, in);
  u64 result = i.type.kind == 'f' ? float_result(i, in) : int_result(i, in);
  bool wide = i.op == Op::MUL_WIDE || i.op == Op::MAD_WIDE;
  bool counts = i.op == Op::BFIND || i.op == Op::POPC || i.op == Op::CLZ;
  return cut(result, wide ? i.type.bytes * 2 : counts ? 4 : i.type.bytes);
}

}  // namespace ptx
