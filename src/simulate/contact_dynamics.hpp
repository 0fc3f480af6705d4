#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/nonsmooth/contact_forces.hpp"
#include "daedal/nonsmooth/impact.hpp"
#include "daedal/simulate/status.hpp"

namespace daedal::simulate {

/// What contacts do at one instant: how far and how fast bodies are from touching, what an impact
/// does to the velocities, and which contacts stay closed under the forces.
///
/// Everything is asked of two mechanisms: one whose contacts are all open, and one whose contacts are
/// all closed, which has their rows s. With the mass matrix M and the joints' rows G of the first,
///
///     [ M  G^T ] [ X ]   [ s^T ]
///     [ G   0  ] [ . ] = [  0  ]       W = s X,     u = -s v,     u' = W lambda + b
///
/// where u are the relative velocities at the contacts: of opening, then along the tangents.
class ContactDynamics {
 public:
  /// Both mechanisms must outlive it.
  ContactDynamics(const model::Model& model, const coordinates::Mechanism& open,
                  formulate::AccelerationLevel& open_equations,
                  const coordinates::Mechanism& closed);

  int count() const { return static_cast<int>(points_.size()); }
  const coordinates::ContactPoint& point(int i) const { return points_[i]; }
  const model::Contact& law(int i) const { return model_.contacts[points_[i].contact]; }
  /// Tangents along which a contact may slip: none without friction.
  int tangents(int i) const { return closed_.contacts[i].slip < 0 ? 0 : tangents_; }

  /// Goes to a state; the following speak of it.
  void move_to(const integrate::State& state);
  double gap(int i) const { return -depth_[closed_.contacts[i].depth]; }
  double opening(int i) const { return -rate_[closed_.contacts[i].depth]; }
  /// Velocity of the second body along a tangent at the contact, beside the first.
  double slip(int i, int tangent) const { return -rate_[closed_.contacts[i].slip + tangent]; }
  double kinetic_energy();

  struct Impact {
    Status status = Status::done;
    std::vector<std::array<double, 3>> impulse;  // by contact that took part [N s]
  };
  /// Velocities after the impact of contacts whose gaps are closed. `restitution` is of these
  /// contacts: it may be less than the model says.
  Impact collide(integrate::State& state, std::span<const int> contacts,
                 std::span<const double> restitution);

  struct Hold {
    Status status = Status::done;
    std::vector<coordinates::ContactState> states;  // by contact asked about
  };
  /// A contact whose force has just reached its limit: it opens, or it begins to slide in a direction,
  /// although at this instant it could still hold.
  struct AtLimit {
    int contact;
    bool friction;
    std::array<double, 2> direction;
  };
  /// What becomes of contacts that neither open nor close: their forces under the present motion.
  /// Contacts that slip faster than `rest` slide on.
  Hold hold(std::span<const int> contacts, double rest,
            const std::optional<AtLimit>& limit = std::nullopt);
  /// Acceleration of a gap where no contact acts.
  double free_opening_rate(int contact);

 private:
  /// The same; a contact at its limit gives way where `yields`. False if it goes the other way then.
  bool hold(std::span<const int> contacts, double rest, const std::optional<AtLimit>& limit,
            bool yields, Hold& out);
  /// X and W of the rows of some contacts, `width_` rows for each; false if singular.
  bool prepare(std::span<const int> contacts);
  int row(int contact, int component) const;
  /// u' of all rows without contact forces, into free_.
  void free_rates();
  Eigen::VectorXd velocities(std::span<const int> contacts) const;

  const model::Model& model_;
  const coordinates::Mechanism& open_;
  const coordinates::Mechanism& closed_;
  formulate::AccelerationLevel& equations_;
  std::vector<coordinates::ContactPoint> points_;
  int tangents_ = 1;
  int width_ = 1;  // rows of a contact in W
  std::unique_ptr<system::Evaluator> open_evaluator_, closed_evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> depth_, rate_, gamma_, unit_, top_, bottom_, free_;
  double size_ = 0.0;  // of accelerations without contacts [m/s^2]
  Eigen::MatrixXd X_, W_;
  nonsmooth::ImpactSolver impacts_;
  nonsmooth::ContactForceSolver forces_;
};

}  // namespace daedal::simulate
