#pragma once

#include "daedal/integrate/newmark_family.hpp"

namespace daedal::integrate {

/// The Newmark family on the stabilised index-2 equations, on Lie groups [Arnold2015], [Gear1985].
///
///     x + d = h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1})      q_{n+1} = retract(q_n, x)
///     M d = -G^T eta                                      at the predicted q_{n+1}
///     0 = g(q_{n+1})       0 = G v_{n+1} + g_u u'         0 = A v_{n+1} - b
///
/// and all else as in NewmarkFamily: v_{n+1} and the weighted means of accelerations. The multipliers
/// eta let the positions leave what the velocities integrate to, d = O(h^3), so that both levels of
/// the constraints hold. Masses in front of d make it the least in the norm of the kinetic energy, and
/// independent of units; velocity-level rows take part with A d = 0, which keeps them as they are.
///
/// Order 2 in q, v, x and lambda, over changing steps too: with a_n adapted to the step nothing else
/// has to be. The start needs no velocity off the hidden constraint; it holds here.
///
/// Newton's matrix is that of index 3. An increment (dq, dd) moves the accelerations by beta' (dq + dd),
/// and beta' M dd is absorbed by the multipliers:
///
///     [ S  G^T ] [ dq      ]     [ r ]        [ M  G^T ] [ dd  ]   [ 0                          ]
///     [ G   0  ] [ dlambda ] = - [ g ]        [ G   0  ] [ eta ] = [ g - (G v + g_u u')/gamma'  ]
///
/// and lambda moves by dlambda + beta' eta. What this leaves out, h times angular rates, contracts.
class StabilisedNewmark final : public NewmarkFamily {
 public:
  StabilisedNewmark(const system::ConstrainedSystem& system, const Options& options,
                    const Parameters& parameters);

  void start(State& state, double h) override;

  /// Local error of the positions in the last step, in the tangent space of the constraints:
  /// |beta + (alpha_m - alpha_f)/2 - 1/6| h^2 (a_{n+1} - a_n).
  void local_error(std::span<double> e);
  /// What that will be in a step of size h, after start().
  void start_error(double h, std::span<double> e);

 private:
  void adapt() override { adapt_memory(); }
  void predict() override;
  void kinematics() override;
  void residual(std::span<double> F) override;
  double correct(std::span<const double> dy) override;
  void save() override;
  void restore() override;

  /// e <- its projection onto the tangent space, where the projector was factorised.
  void project(std::span<double> e);
  double error_factor() const;

  bool has_projector_ = false, wants_projector_ = false;
  std::vector<double> offset_;     // d
  std::vector<double> newmark_x_;  // x + d
  std::vector<double> rate_;       // G v + g_u u', and A v - b
  std::vector<double> change_, eta_;
  std::vector<double> saved_offset_, saved_rate_, saved_g_;
};

}  // namespace daedal::integrate
