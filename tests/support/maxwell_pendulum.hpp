#pragma once

#include <Eigen/Core>

#include "daedal/system/constrained_system.hpp"

namespace daedal::testing {

/// A point mass on a rod in the plane, damped by a Maxwell element (spring and dashpot in series)
/// and by a controller-like state that decays, driven by time:
///
///     m q'' = m g - k x_1 e_x - lambda q,      0 = (q.q - 1)/2
///     x_1' = q_x' - x_1 / tau,                 x_2' = q_y x_1 - x_2^3 + sin(3 t)
///     the force of x_2 is -c x_2 e_y
///
/// The smallest system in which f_x, c_q, c_v and c_x all count. Written by hand at the waist.
class MaxwellPendulum final : public system::ConstrainedSystem {
 public:
  static constexpr double m = 1.3, gravity = 9.81, k = 20.0, tau = 0.3, c = 2.0;

  MaxwellPendulum() {
    using Pattern = linear::BlockPattern;
    structure_.manifold.add_linear(2);
    structure_.coordinates = {{"mass", 0, 2}};
    system::ConstraintNode rod;
    rod.name = "rod";
    rod.size = 1;
    structure_.constraints = {rod};
    structure_.constraint_rows = 1;
    structure_.states = {{"maxwell", 0, 1}, {"controller", 1, 1}};
    structure_.state_size = 2;
    structure_.excitations = 1;
    const std::vector<int> q{2}, g{1}, x{1, 1};
    using Pairs = std::vector<std::pair<int, int>>;
    structure_.mass = std::make_shared<const Pattern>(q, q, Pairs{{0, 0}});
    structure_.damping = std::make_shared<const Pattern>(q, q, Pairs{});
    structure_.stiffness = structure_.mass;
    structure_.constraint = std::make_shared<const Pattern>(g, q, Pairs{{0, 0}});
    structure_.force_state = std::make_shared<const Pattern>(q, x, Pairs{{0, 0}, {0, 1}});
    structure_.state_coordinate = std::make_shared<const Pattern>(x, q, Pairs{{0, 0}, {1, 0}});
    structure_.state_state = std::make_shared<const Pattern>(x, x, Pairs{{0, 0}, {1, 0}, {1, 1}});
  }

  const system::Structure& structure() const override { return structure_; }
  std::unique_ptr<system::Evaluator> evaluator() const override {
    return std::make_unique<AtPoint>(structure_);
  }
  void excitations(double t, std::span<math::Jet> u) const override {
    u[0] = {std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)};
  }
  std::vector<double> break_points(double, double) const override { return {}; }

 private:
  class AtPoint final : public system::Evaluator {
   public:
    explicit AtPoint(const system::Structure& s) : G_(s.constraint) {}
    void move_to(const system::Point& p) override {
      p_ = p;
      G_.values()[0] = p.q[0], G_.values()[1] = p.q[1];
    }
    const linear::BlockMatrix& G() const override { return G_; }
    void constraints(std::span<double> g) override {
      g[0] = 0.5 * (p_.q[0] * p_.q[0] + p_.q[1] * p_.q[1] - 1.0);
    }
    void constraint_rates(std::span<double> rate) override {
      rate[0] = p_.q[0] * p_.v[0] + p_.q[1] * p_.v[1];
    }
    void gamma(std::span<double> out) override {
      out[0] = -(p_.v[0] * p_.v[0] + p_.v[1] * p_.v[1]);
    }
    void force(std::span<double> f) override {
      f[0] = -k * p_.x[0];
      f[1] = -m * gravity - c * p_.x[1];
    }
    void residual(std::span<const double> a, std::span<const double> lambda,
                  std::span<double> r) override {
      force(r);
      for (int i = 0; i < 2; ++i) r[i] = m * a[i] - r[i] + p_.q[i] * lambda[0];
    }
    void state_rates(std::span<double> out) override {
      out[0] = p_.v[0] - p_.x[0] / tau;
      out[1] = p_.q[1] * p_.x[0] - p_.x[1] * p_.x[1] * p_.x[1] + p_.u[0].value;
    }
    void mass(linear::BlockMatrix& M) override { M.block(0) = m * Eigen::Matrix2d::Identity(); }
    void linearise(std::span<const double>, std::span<const double> mu,
                   system::Linearisation& out) override {
      mass(out.M);
      out.K.block(0) = mu[0] * Eigen::Matrix2d::Identity();
      out.G.values()[0] = p_.q[0], out.G.values()[1] = p_.q[1];
      out.W.set_zero();
      out.f_x.set_zero();
      out.f_x.block(0)(0, 0) = -k;
      out.f_x.block(1)(1, 0) = -c;
      out.c_q.set_zero();
      out.c_q.block(1)(0, 1) = p_.x[0];
      out.c_v.set_zero();
      out.c_v.block(0)(0, 0) = 1.0;
      out.c_x.block(0)(0, 0) = -1.0 / tau;
      out.c_x.block(1)(0, 0) = p_.q[1];
      out.c_x.block(2)(0, 0) = -3.0 * p_.x[1] * p_.x[1];
    }
    system::Energy energy() override { return {}; }
    system::Momentum momentum() override { return {}; }
    double drive_power(std::span<const double>, std::span<const double>) override { return 0.0; }

   private:
    system::Point p_;
    linear::BlockMatrix G_;
  };

  system::Structure structure_;
};

}  // namespace daedal::testing
