#include "daedal/simulate/contact_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::simulate {

namespace {

/// Accelerations below this share of those without contacts are none.
constexpr double kNoAcceleration = 1e-9;

}  // namespace

using coordinates::ContactMode;
using coordinates::ContactState;

ContactDynamics::ContactDynamics(const model::Model& model, const coordinates::Mechanism& open,
                                 formulate::AccelerationLevel& open_equations,
                                 const coordinates::Mechanism& closed)
    : model_(model),
      open_(open),
      closed_(closed),
      equations_(open_equations),
      points_(coordinates::contact_points(model)),
      tangents_(model.planar ? 1 : 2),
      open_evaluator_(open.system->evaluator()),
      closed_evaluator_(closed.system->evaluator()),
      u_(open.system->structure().excitations),
      depth_(closed.system->structure().constraint_rows),
      rate_(depth_.size()),
      gamma_(depth_.size()),
      unit_(depth_.size()),
      top_(open.system->structure().dof()),
      bottom_(open.system->structure().constraint_rows),
      free_(depth_.size()) {
  for (int i = 0; i < count(); ++i) {
    if (law(i).friction > 0.0 && tangents(i) > 0) width_ = 1 + tangents_;
  }
}

void ContactDynamics::move_to(const integrate::State& state) {
  open_.system->excitations(state.t, u_);
  open_evaluator_->move_to({state.q, state.v, state.x, u_});
  closed_evaluator_->move_to({state.q, state.v, state.x, u_});
  closed_evaluator_->constraints(depth_);
  closed_evaluator_->constraint_rates(rate_);
}

double ContactDynamics::kinetic_energy() { return open_evaluator_->energy().kinetic; }

int ContactDynamics::row(int contact, int component) const {
  const coordinates::ContactRows& rows = closed_.contacts[contact];
  if (component == 0) return rows.depth;
  if (component > tangents(contact) || !(law(contact).friction > 0.0)) return -1;
  return rows.slip + component - 1;
}

bool ContactDynamics::prepare(std::span<const int> contacts) {
  if (!equations_.factorise(*open_evaluator_)) return false;
  const int size = width_ * static_cast<int>(contacts.size());
  X_.setZero(static_cast<Eigen::Index>(top_.size()), size);
  W_.setIdentity(size, size);  // components that a contact does not have are of no effect
  std::vector<int> rows;
  for (const int contact : contacts) {
    for (int k = 0; k < width_; ++k) rows.push_back(row(contact, k));
  }
  for (int j = 0; j < size; ++j) {
    if (rows[j] < 0) continue;
    std::fill(top_.begin(), top_.end(), 0.0);
    std::fill(bottom_.begin(), bottom_.end(), 0.0);
    unit_[rows[j]] = 1.0;
    closed_evaluator_->G().transpose_multiply_add(unit_, top_);
    unit_[rows[j]] = 0.0;
    equations_.solve(top_, bottom_);
    X_.col(j) = Eigen::Map<const Eigen::VectorXd>(top_.data(), X_.rows());
    std::fill(free_.begin(), free_.end(), 0.0);
    closed_evaluator_->G().multiply_add(top_, free_);
    for (int i = 0; i < size; ++i) {
      if (rows[i] >= 0) W_(i, j) = free_[rows[i]];
    }
  }
  W_ = (0.5 * (W_ + W_.transpose())).eval();
  return true;
}

void ContactDynamics::free_rates() {
  open_evaluator_->force(top_);
  open_evaluator_->gamma(bottom_);
  equations_.solve(top_, bottom_);
  closed_evaluator_->gamma(gamma_);
  size_ = 0.0;
  for (std::size_t i = 0; i < top_.size(); ++i) {
    size_ = std::max(size_, std::abs(top_[i]) * open_.reach[i]);
  }
  std::copy(gamma_.begin(), gamma_.end(), free_.begin());
  closed_evaluator_->G().multiply_add(top_, free_, -1.0);
}

double ContactDynamics::free_opening_rate(int contact) {
  if (!equations_.factorise(*open_evaluator_)) return 0.0;
  free_rates();
  return free_[row(contact, 0)];
}

Eigen::VectorXd ContactDynamics::velocities(std::span<const int> contacts) const {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(width_ * static_cast<Eigen::Index>(contacts.size()));
  Eigen::Index at = 0;
  for (const int contact : contacts) {
    for (int k = 0; k < width_; ++k, ++at) {
      if (const int r = row(contact, k); r >= 0) u[at] = -rate_[r];
    }
  }
  return u;
}

auto ContactDynamics::collide(integrate::State& state, std::span<const int> contacts,
                              std::span<const double> restitution) -> Impact {
  Impact impact;
  if (!prepare(contacts)) {
    impact.status = Status::singular_matrix;
    return impact;
  }
  const Eigen::VectorXd before = velocities(contacts);
  Eigen::VectorXd P = Eigen::VectorXd::Zero(before.size()), after = P;
  const bool poisson = std::ranges::all_of(
      contacts, [this](int i) { return law(i).law == model::ImpactLaw::poisson; });
  nonsmooth::ImpactResult result;
  if (width_ > 1) {
    std::vector<nonsmooth::ContactLaw> laws;
    for (const int i : contacts) laws.push_back({.mu = tangents(i) > 0 ? law(i).friction : 0.0});
    result = impacts_.newton_with_friction(width_, W_, before, restitution, laws, P, after);
  } else if (poisson) {
    result = impacts_.poisson(W_, before, restitution, P, after);
  } else {
    result = impacts_.newton(W_, before, restitution, P, after);
  }
  if (result.status != nonsmooth::Status::solved) {
    impact.status = Status::no_contact_forces;
    return impact;
  }
  // u = -s v: an impulse P changes v by -X P.
  Eigen::Map<Eigen::VectorXd>(state.v.data(), X_.rows()) -= X_ * P;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    std::array<double, 3> of_contact{};
    for (int c = 0; c < width_; ++c) {
      of_contact[c] = P[static_cast<Eigen::Index>(k) * width_ + c];
    }
    impact.impulse.push_back(of_contact);
  }
  return impact;
}

auto ContactDynamics::hold(std::span<const int> contacts, double rest,
                           const std::optional<AtLimit>& limit) -> Hold {
  Hold out;
  if (contacts.empty()) return out;
  if (!prepare(contacts)) {
    out.status = Status::singular_matrix;
    return out;
  }
  free_rates();
  if (!hold(contacts, rest, limit, true, out)) hold(contacts, rest, limit, false, out);
  return out;
}

bool ContactDynamics::hold(std::span<const int> contacts, double rest,
                           const std::optional<AtLimit>& limit, bool yields, Hold& out) {
  const Eigen::VectorXd u = velocities(contacts);
  const bool at_limit = limit && yields;
  std::vector<nonsmooth::ContactLaw> laws;
  std::vector<std::size_t> asked;   // which have forces
  std::vector<Eigen::Index> rows;   // and theirs
  Eigen::Index opens = -1, slides = -1;  // rows of the contact at its limit
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Eigen::Index at = static_cast<Eigen::Index>(k) * width_;
    if (at_limit && !limit->friction && limit->contact == contacts[k]) {
      opens = at;
      continue;
    }
    nonsmooth::ContactLaw of_contact{
        .mu = row(contacts[k], 1) >= 0 ? law(contacts[k]).friction : 0.0};
    const double speed = width_ > 1 ? u.segment(at + 1, width_ - 1).norm() : 0.0;
    if (of_contact.mu > 0.0 && speed > rest) {
      of_contact.sliding = true;
      for (int c = 1; c < width_; ++c) of_contact.direction[c - 1] = u[at + c] / speed;
    } else if (of_contact.mu > 0.0 && at_limit && limit->contact == contacts[k]) {
      slides = static_cast<Eigen::Index>(rows.size());
      of_contact.sliding = true;
      of_contact.direction = limit->direction;
    }
    laws.push_back(of_contact);
    asked.push_back(k);
    for (int c = 0; c < width_; ++c) rows.push_back(at + c);
  }
  Eigen::VectorXd b = Eigen::VectorXd::Zero(u.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    for (int c = 0; c < width_; ++c) {
      const int r = row(contacts[k], c);
      if (r >= 0) b[static_cast<Eigen::Index>(k) * width_ + c] = free_[r];
    }
  }
  out.status = Status::done;
  out.states.assign(contacts.size(), {});
  const Eigen::MatrixXd W = W_(rows, rows);
  const Eigen::VectorXd of_rows = b(rows);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(of_rows.size()), a = lambda;
  std::vector<nonsmooth::ContactMotion> motions(laws.size());
  if (!laws.empty()) {
    const auto result = forces_.solve(width_, W, of_rows, laws, lambda, a, motions);
    if (result.status != nonsmooth::Status::solved) {
      out.status = Status::no_contact_forces;
      return !at_limit;
    }
  }
  const double round_off = kNoAcceleration * std::max(size_, b.cwiseAbs().maxCoeff());
  if (opens >= 0 && b[opens] + W_(opens, rows).dot(lambda) < -round_off) return false;
  if (slides >= 0) {
    double along = 0.0;
    for (int c = 1; c < width_; ++c) along += limit->direction[c - 1] * a[slides + c];
    if (along < -round_off) return false;
  }
  for (std::size_t k = 0; k < asked.size(); ++k) {
    using nonsmooth::Motion;
    ContactState& state = out.states[asked[k]];
    const Eigen::Index normal = static_cast<Eigen::Index>(k) * width_;
    // Where one force vanishes, others may: all of them open.
    if (opens >= 0 && W(normal, normal) * lambda[normal] <= round_off) continue;
    switch (motions[k].motion) {
      case Motion::separates: break;
      case Motion::stays: state.mode = ContactMode::closed; break;
      case Motion::sticks: state.mode = ContactMode::sticking; break;
      case Motion::slides:
        state.mode = ContactMode::sliding;
        if (width_ == 2) state.direction = motions[k].direction[0];
        break;
    }
  }
  return true;
}

}  // namespace daedal::simulate
