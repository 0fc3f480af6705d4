#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "daedal/math/expression.hpp"

namespace daedal::math {
namespace {

using Code = std::span<const Instruction>;

// offset + slope t
struct Affine {
  double offset = 0.0, slope = 0.0;
};

// The code as an affine function of t, if it is one by its form: sums, and products with numbers.
std::optional<Affine> as_affine(Code code) {
  std::array<Affine, kMaxDepth> stack;
  std::size_t top = 0;
  for (const Instruction& i : code) {
    const Affine b = top > 0 ? stack[top - 1] : Affine{};
    const Affine a = top > 1 ? stack[top - 2] : Affine{};
    top -= static_cast<std::size_t>(operand_count(i.op));
    Affine& result = stack[top++];
    switch (i.op) {
      case Op::constant:
        result = {i.constant, 0.0};
        break;
      case Op::variable:
        result = {0.0, 1.0};
        break;
      case Op::negate:
        result = {-b.offset, -b.slope};
        break;
      case Op::add:
        result = {a.offset + b.offset, a.slope + b.slope};
        break;
      case Op::subtract:
        result = {a.offset - b.offset, a.slope - b.slope};
        break;
      case Op::multiply:
        if (a.slope != 0.0 && b.slope != 0.0) return {};
        result = {a.offset * b.offset, a.slope * b.offset + a.offset * b.slope};
        break;
      case Op::divide:
        if (b.slope != 0.0) return {};
        result = {a.offset / b.offset, a.slope / b.offset};
        break;
      default:
        return {};
    }
  }
  return stack[0];
}

// What changes sign at a break point: x of step(x) and abs(x), a - b of min(a, b) and max(a, b).
struct Switch {
  Code a, b;          // b is empty for step and abs
  std::size_t index;  // of the instruction

  std::size_t size() const { return a.size() + b.size(); }

  Jet operator()(double t) const {
    const Jet time = Jet::time(t);
    const Jet x = run<Jet>(a, {&time, 1});
    return b.empty() ? x : x - run<Jet>(b, {&time, 1});
  }

  bool nonnegative_after(double t) const { return detail::nonnegative_after((*this)(t)); }

  // Where an affine argument vanishes, inf or NaN if nowhere; nothing if it is not affine. The
  // last digit is raised where needed for the argument, as evaluated, to have its new sign.
  std::optional<double> affine_root() const {
    const auto x = as_affine(a);
    const auto y = b.empty() ? Affine{} : as_affine(b);
    if (!x || !y) return {};
    const double slope = x->slope - y->slope;
    double t = (y->offset - x->offset) / slope;
    for (int k = 0; k < 4 && std::isfinite(t) && nonnegative_after(t) != (slope > 0.0); ++k)
      t = std::nextafter(t, std::numeric_limits<double>::infinity());
    return t;
  }
};

struct BreakPoint {
  double t;
  std::size_t index;  // of the instruction that breaks
};

// What may be spent on bisections, in instructions. A term that changes sign between any two samples
// is sampled too coarsely anyway: when the budget is used up, its sign changes stay where the sample
// is that has the new sign.
struct Budget {
  std::size_t left = 10'000'000;

  bool take(const Switch& x) {
    if (left < x.size()) return false;
    left -= x.size();
    return true;
  }
};

// The first double with the property of b, for a property of x that a has not. About 60 evaluations;
// a thousand if that double is zero.
template <class Property>
double bisect(double a, double b, const Switch& x, Budget& budget, Property&& property) {
  const bool at_b = property(b);
  for (;;) {
    const double middle = a + 0.5 * (b - a);
    if (middle <= a || middle >= b || !budget.take(x)) return b;
    (property(middle) == at_b ? b : a) = middle;
  }
}

// Sign changes between neighbouring samples. Two that hide between samples of equal sign are found
// through the extremum between them, if x approaches zero at both ends.
void find_roots(const Switch& x, const std::vector<double>& samples, Budget& budget,
                std::vector<BreakPoint>& found) {
  const auto sign_at = [&](double t) { return x.nonnegative_after(t); };
  const auto root = [&](double a, double b) {
    found.push_back({bisect(a, b, x, budget, sign_at), x.index});
  };
  Jet left = x(samples.front());
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const double a = samples[k - 1], b = samples[k];
    const Jet right = x(b);
    if (std::isfinite(left.value) && std::isfinite(right.value)) {
      const bool sign = detail::nonnegative_after(left);
      if (sign != detail::nonnegative_after(right)) {
        root(a, b);
      } else if (left.value * left.first < 0.0 && right.value * right.first > 0.0) {
        const double extremum = bisect(
            a, b, x, budget, [&](double t) { return x(t).first * right.first > 0.0; });
        if (sign_at(extremum) != sign) root(a, extremum), root(extremum, b);
      }
    }
    left = right;
  }
}

// A grid over [t0, t1], refined by the break points inside the operands of x; if there are more of
// them than grid points, by some of them. `found` has the indices in ascending order.
std::vector<double> sample_times(const Switch& x, double t0, double t1, int intervals,
                                 const std::vector<BreakPoint>& found) {
  std::vector<double> times;
  for (int k = 0; k <= intervals; ++k) times.push_back(t0 + (t1 - t0) * k / intervals);
  times.back() = t1;
  const auto inner =
      std::ranges::lower_bound(found, x.index - x.size(), {}, &BreakPoint::index) - found.begin();
  const std::size_t count = found.size() - static_cast<std::size_t>(inner);
  const std::size_t stride = 1 + count / static_cast<std::size_t>(intervals);
  for (auto i = static_cast<std::size_t>(inner); i < found.size(); i += stride)
    times.push_back(found[i].t);
  std::ranges::sort(times);
  return times;
}

}  // namespace

std::vector<double> Expression::break_points(double t0, double t1) const {
  require_only_time();
  if (!std::isfinite(t0) || !std::isfinite(t1))
    throw std::invalid_argument("break_points needs a finite interval of time");
  if (t0 >= t1) return {};

  std::vector<Switch> switches;  // inner ones before outer ones, as the code is
  std::size_t work = 1;          // instructions run per sample
  for (std::size_t i = 0; i < program_.code.size(); ++i) {
    const Op op = program_.code[i].op;
    if (op != Op::step && op != Op::abs && op != Op::min && op != Op::max) continue;
    const auto [a, b] = program_.operands(i);
    switches.push_back({a, b, i});
    work += switches.back().size();
  }

  // Thousands of long arguments are sampled more coarsely, to stay within a second.
  const auto affordable = static_cast<int>(std::min<std::size_t>(5'000'000 / work, 1'000'000));
  const int intervals = std::clamp(affordable, 8, kBreakPointSamples);
  Budget budget;
  std::vector<BreakPoint> found;
  for (const Switch& x : switches) {
    if (const auto t = x.affine_root()) {
      if (*t > t0 && *t < t1) found.push_back({*t, x.index});
    } else {
      find_roots(x, sample_times(x, t0, t1, intervals, found), budget, found);
    }
  }

  // Points that differ by rounding only are one; the last of them has every new sign.
  const double tolerance =
      64.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1));
  std::ranges::sort(found, {}, &BreakPoint::t);
  std::vector<double> times;
  for (const BreakPoint& p : found) {
    if (p.t <= t0 || p.t >= t1) continue;
    if (!times.empty() && p.t - times.back() <= tolerance)
      times.back() = p.t;
    else
      times.push_back(p.t);
  }
  return times;
}

}  // namespace daedal::math
