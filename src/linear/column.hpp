#pragma once

#include <cstring>

namespace daedal::linear {

/// N doubles in registers: as many vectors of four as fit, then of two, then a scalar. Blocks are
/// stored without padding and still need one instruction per operation on each part: six rows are
/// 4 + 2. Written with the vector types of GCC and Clang, so that it compiles on any processor.
using Vector4 = double __attribute__((vector_size(32)));
using Vector2 = double __attribute__((vector_size(16)));

template <int N>
struct Column {
  using Head = Vector4;
  Head head;
  Column<N - 4> tail;

  static Column load(const double* p) {
    Column c;
    std::memcpy(&c.head, p, sizeof(Head));
    c.tail = Column<N - 4>::load(p + 4);
    return c;
  }
  static Column gather(const double* p, int stride) {
    Column c;
    c.head = Head{p[0], p[stride], p[2 * stride], p[3 * stride]};
    c.tail = Column<N - 4>::gather(p + 4 * stride, stride);
    return c;
  }
  static Column zero() { return {Head{0.0, 0.0, 0.0, 0.0}, Column<N - 4>::zero()}; }
  void store(double* p) const {
    std::memcpy(p, &head, sizeof(Head));
    tail.store(p + 4);
  }
  /// this -= a * s
  void subtract(const Column& a, double s) {
    head -= a.head * s;
    tail.subtract(a.tail, s);
  }
  void scale(double s) {
    head *= s;
    tail.scale(s);
  }
  /// this += |a * b|, elementwise
  void add_magnitude(const Column& a, const Column& b) {
    const Head product = a.head * b.head;
    head += product < 0.0 ? -product : product;
    tail.add_magnitude(a.tail, b.tail);
  }
};

template <>
struct Column<0> {
  static Column load(const double*) { return {}; }
  static Column gather(const double*, int) { return {}; }
  static Column zero() { return {}; }
  void store(double*) const {}
  void subtract(const Column&, double) {}
  void scale(double) {}
  void add_magnitude(const Column&, const Column&) {}
};

template <>
struct Column<1> {
  double head;
  static Column load(const double* p) { return {*p}; }
  static Column gather(const double* p, int) { return {*p}; }
  static Column zero() { return {0.0}; }
  void store(double* p) const { *p = head; }
  void subtract(const Column& a, double s) { head -= a.head * s; }
  void scale(double s) { head *= s; }
  void add_magnitude(const Column& a, const Column& b) {
    const double product = a.head * b.head;
    head += product < 0.0 ? -product : product;
  }
};

template <>
struct Column<2> {
  Vector2 head;
  static Column load(const double* p) {
    Column c;
    std::memcpy(&c.head, p, sizeof(Vector2));
    return c;
  }
  static Column gather(const double* p, int stride) { return {Vector2{p[0], p[stride]}}; }
  static Column zero() { return {Vector2{0.0, 0.0}}; }
  void store(double* p) const { std::memcpy(p, &head, sizeof(Vector2)); }
  void subtract(const Column& a, double s) { head -= a.head * s; }
  void scale(double s) { head *= s; }
  void add_magnitude(const Column& a, const Column& b) {
    const Vector2 product = a.head * b.head;
    head += product < 0.0 ? -product : product;
  }
};

template <>
struct Column<3> {
  Column<2> head;
  Column<1> tail;
  static Column load(const double* p) { return {Column<2>::load(p), Column<1>::load(p + 2)}; }
  static Column gather(const double* p, int stride) {
    return {Column<2>::gather(p, stride), Column<1>::load(p + 2 * stride)};
  }
  static Column zero() { return {Column<2>::zero(), Column<1>::zero()}; }
  void store(double* p) const {
    head.store(p);
    tail.store(p + 2);
  }
  void subtract(const Column& a, double s) {
    head.subtract(a.head, s);
    tail.subtract(a.tail, s);
  }
  void scale(double s) {
    head.scale(s);
    tail.scale(s);
  }
  void add_magnitude(const Column& a, const Column& b) {
    head.add_magnitude(a.head, b.head);
    tail.add_magnitude(a.tail, b.tail);
  }
};

}  // namespace daedal::linear
