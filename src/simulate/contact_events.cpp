#include "daedal/simulate/contact_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "daedal/simulate/preparation.hpp"

namespace daedal::simulate {

using coordinates::ContactMode;
using coordinates::ContactState;
using integrate::State;
using Kind = ContactEvent::Kind;

namespace {

/// Bodies touch that are closer than this share of the mechanism's length: at the start, where numbers
/// come from a file, and at an event.
constexpr double kTouchesAtStart = 1e-7;
constexpr double kTouches = 1e-10;
/// A contact neither opens nor closes, and does not slip, below this share of the fastest motion at any
/// contact so far, or of crossing the mechanism in a thousand times the run's time.
constexpr double kAtRest = 1e-9;
/// The shortest flight between two impacts, as a share of the run's time, and how many there may be of
/// less than a hundred times that.
constexpr double kShortestFlight = 1e-6;
constexpr double kWindow = 100.0;
constexpr int kMostMeetings = 60;
/// Events without time going on by a shortest flight, per contact, before the run is given up.
constexpr int kMostAtOnce = 200;
/// Looks at contacts within a step.
constexpr int kLooks = 4;
/// Times of events are found to this share of the run's time.
constexpr double kEventTime = 1e-15;
/// Of what is zero and about to be positive.
constexpr double kPositive = std::numeric_limits<double>::min();
constexpr std::size_t kMostEpochs = 64;
/// Energy gained in an impact that is no round-off, as a share of what there was.
constexpr double kGain = 1e-9;

ContactState everything(const model::Contact& law) {
  return {law.friction > 0.0 ? ContactMode::sticking : ContactMode::closed, 0.0};
}

void add(correct::NewtonCounters& sum, const correct::NewtonCounters& c) {
  sum.residual_evaluations += c.residual_evaluations;
  sum.jacobian_evaluations += c.jacobian_evaluations;
  sum.jacobian_residual_evaluations += c.jacobian_residual_evaluations;
  sum.jacobian_updates += c.jacobian_updates;
  sum.factorizations += c.factorizations;
  sum.linear_solves += c.linear_solves;
  sum.function_evaluations += c.function_evaluations;
  sum.iterations += c.iterations;
}

bool is_open(const ContactState& state) { return state.mode == ContactMode::open; }

}  // namespace

ContactEvents::ContactEvents(const model::Model& model, const Settings& settings,
                             const MethodChoice& choice, Epoch& open, Recorder* recorder)
    : model_(model),
      settings_(settings),
      choice_(choice),
      recorder_(recorder),
      absolute_(coordinates::make_absolute(model)),
      open_(open),
      length_(mechanism_length(model, settings)),
      shortest_(kShortestFlight * settings.until),
      epoch_(&open) {
  const std::vector<coordinates::ContactPoint> points = coordinates::contact_points(model);
  std::vector<ContactState> all;
  for (const coordinates::ContactPoint& point : points) {
    all.push_back(everything(model.contacts[point.contact]));
    summary_.points.push_back(point.name);
  }
  closed_ = make_mechanism(model, settings, absolute_, all);
  dynamics_ = std::make_unique<ContactDynamics>(model, open.mechanism, open.equations, closed_);
  states_.resize(points.size());
  slip_.resize(points.size());
  meetings_.resize(points.size());
}

ContactEvents::~ContactEvents() = default;

const system::Structure& ContactEvents::structure() const { return closed_.system->structure(); }

std::unique_ptr<Epoch> ContactEvents::make_epoch(std::span<const ContactState> states) {
  return std::make_unique<Epoch>(model_, settings_, choice_,
                                 make_mechanism(model_, settings_, absolute_, states));
}

correct::NewtonCounters ContactEvents::counters() const {
  correct::NewtonCounters sum = past_;
  add(sum, open_.integrator->counters());
  for (const auto& [key, epoch] : epochs_) add(sum, epoch->integrator->counters());
  return sum;
}

bool ContactEvents::fail(Status status, std::string message) {
  status_ = status;
  message_ = std::move(message);
  return false;
}

void ContactEvents::tell(double t, Kind kind, int contact, const std::array<double, 3>& impulse) {
  ++summary_.events;
  if (kind == Kind::impact) ++summary_.impacts;
  if (recorder_) recorder_->event({t, kind, contact, impulse});
}

// ---------------------------------------------------------------- what happens at an event

void ContactEvents::see_speed(int contact) {
  fastest_ = std::max(fastest_, std::abs(dynamics_->opening(contact)));
  for (int k = 0; k < dynamics_->tangents(contact); ++k) {
    fastest_ = std::max(fastest_, std::abs(dynamics_->slip(contact, k)));
  }
}

double ContactEvents::rest_speed() const {
  return kAtRest * std::max(fastest_, 1e-3 * length_ / settings_.until);
}

void ContactEvents::begin(State& state) {
  status_ = Status::done;
  dynamics_->move_to(state);
  std::vector<int> touching;
  std::vector<model::Problem> problems;
  for (int i = 0; i < dynamics_->count(); ++i) {
    const double gap = dynamics_->gap(i);
    if (gap < -kTouchesAtStart * length_) {
      problems.push_back(
          {"contacts." + dynamics_->law(i).name,
           fmt::format("contact '{}': the bodies '{}' and '{}' penetrate each other by {:.6g} m at "
                       "the start; move them apart, or correct what touches",
                       name(i), dynamics_->point(i).first, dynamics_->point(i).second, -gap)});
    } else if (gap < kTouchesAtStart * length_) {
      touching.push_back(i);
    }
    see_speed(i);
  }
  if (!problems.empty()) throw model::ModelError(std::move(problems));
  if (collide(state, touching)) hold(state, touching);
}

void ContactEvents::resolve(State& state) {
  status_ = Status::done;
  if (state.t - last_event_ > shortest_) {
    last_event_ = state.t;
    at_once_ = 0;
  } else if (++at_once_ > kMostAtOnce * std::max(1, dynamics_->count())) {
    fail(Status::events_accumulate,
         fmt::format("near t = {:.9g} s contacts close and open {} times within {:.2g} s", state.t,
                     at_once_, shortest_));
    return;
  }
  dynamics_->move_to(state);
  std::vector<int> touching;
  for (int i = 0; i < dynamics_->count(); ++i) {
    if (!is_open(states_[i]) || crossed_ == i || dynamics_->gap(i) < kTouches * length_) {
      touching.push_back(i);
    }
    see_speed(i);
  }
  if (collide(state, touching)) hold(state, touching);
  crossed_.reset();
}

bool ContactEvents::keeps_meeting(int contact, double t) {
  Meeting& meeting = meetings_[contact];
  if (t - meeting.since > kWindow * shortest_) meeting = {t, 0, false};
  return ++meeting.count > kMostMeetings;
}

bool ContactEvents::collide(State& state, const std::vector<int>& touching) {
  const double at_rest = rest_speed();
  const auto approaches = [&](int i) { return dynamics_->opening(i) < -at_rest; };
  if (std::ranges::none_of(touching, approaches)) return true;
  const double before = dynamics_->kinetic_energy();
  const std::vector<double> v = state.v;
  std::vector<double> restitution;
  for (const int i : touching) {
    const bool again = approaches(i) && keeps_meeting(i, state.t);
    restitution.push_back(again ? 0.0 : dynamics_->law(i).restitution);
  }
  ContactDynamics::Impact impact;
  while (true) {
    impact = dynamics_->collide(state, touching, restitution);
    if (impact.status != Status::done) {
      return fail(impact.status, fmt::format("at t = {:.9g} s no impulses satisfy the laws of the "
                                             "contacts that collide: {}",
                                             state.t, name(touching.front())));
    }
    dynamics_->move_to(state);
    // A flight that would be too short is none.
    bool shorter = false;
    for (std::size_t k = 0; k < touching.size(); ++k) {
      const int i = touching[k];
      if (restitution[k] == 0.0 || dynamics_->opening(i) <= at_rest) continue;
      const double fall = -dynamics_->free_opening_rate(i);
      if (fall > 0.0 && 2.0 * dynamics_->opening(i) < fall * shortest_) {
        restitution[k] = 0.0;
        shorter = true;
      }
    }
    if (!shorter) break;
    state.v = v;
    dynamics_->move_to(state);
  }
  const double gain = dynamics_->kinetic_energy() - before;
  summary_.impact_loss -= gain;
  if (gain > kGain * before) summary_.largest_gain = std::max(summary_.largest_gain, gain);
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const int i = touching[k];
    if (impact.impulse[k][0] > 0.0) tell(state.t, Kind::impact, i, impact.impulse[k]);
    if (restitution[k] < dynamics_->law(i).restitution && !meetings_[i].settled) {
      meetings_[i].settled = true;
      tell(state.t, Kind::settles, i);
      if (std::ranges::find(summary_.settled, name(i)) == summary_.settled.end()) {
        summary_.settled.push_back(name(i));
      }
    }
  }
  return true;
}

void ContactEvents::set_state(int contact, ContactState to, double t) {
  const ContactState from = states_[contact];
  states_[contact] = to;
  if (from.mode == to.mode && from.direction == to.direction) return;
  const auto kind = [&] {
    switch (to.mode) {
      case ContactMode::open: return Kind::opens;
      case ContactMode::closed: return Kind::closes;
      case ContactMode::sticking: return Kind::sticks;
      case ContactMode::sliding: break;
    }
    return Kind::slides;
  }();
  tell(t, kind, contact);
}

/// The contact whose force has just reached its limit.
std::optional<ContactDynamics::AtLimit> ContactEvents::at_limit() const {
  if (!crossed_) return std::nullopt;
  const int i = *crossed_;
  ContactDynamics::AtLimit limit{.contact = i, .friction = exceeded_, .direction = {}};
  if (!exceeded_) {
    if (is_open(states_[i])) return std::nullopt;
    return limit;
  }
  if (states_[i].mode != ContactMode::sticking) return std::nullopt;
  const int slip = epoch_->mechanism.contacts[i].slip;
  const double x = lambda_[slip], y = model_.planar ? 0.0 : lambda_[slip + 1];
  const double size = std::hypot(x, y);
  if (size > 0.0) limit.direction = {-x / size, -y / size};
  return limit;
}

void ContactEvents::hold(State& state, const std::vector<int>& touching) {
  const double at_rest = rest_speed();
  std::vector<int> held;
  for (const int i : touching) {
    if (std::abs(dynamics_->opening(i)) <= at_rest) held.push_back(i);
  }
  const ContactDynamics::Hold next = dynamics_->hold(held, at_rest, at_limit());
  if (next.status != Status::done) {
    fail(next.status,
         fmt::format("at t = {:.9g} s no forces satisfy the laws of the closed contacts ('{}'{}): "
                     "with this friction they jam (Painleve's paradox)",
                     state.t, name(held.front()),
                     held.size() > 1 ? fmt::format(" and {} more", held.size() - 1) : ""));
    return;
  }
  for (int i = 0; i < dynamics_->count(); ++i) {
    const auto it = std::ranges::find(held, i);
    const ContactState to =
        it == held.end() ? ContactState{} : next.states[it - held.begin()];
    if (to.mode == ContactMode::sliding && !model_.planar) {
      const double w = std::hypot(dynamics_->slip(i, 0), dynamics_->slip(i, 1));
      slip_[i] = {};
      if (w > at_rest) slip_[i] = {dynamics_->slip(i, 0) / w, dynamics_->slip(i, 1) / w};
    }
    set_state(i, to, state.t);
  }
  enter(state);
}

/// All but the present one, which the run still looks at.
void ContactEvents::forget_epochs() {
  std::erase_if(epochs_, [this](const auto& entry) {
    if (entry.second.get() == epoch_) return false;
    add(past_, entry.second->integrator->counters());
    return true;
  });
}

void ContactEvents::enter(const State& state) {
  Key key;
  bool open = true;
  for (const ContactState& s : states_) {
    key.push_back(static_cast<int>(s.mode) * 4 + static_cast<int>(s.direction));
    open = open && is_open(s);
  }
  if (open) {
    epoch_ = &open_;
  } else {
    if (epochs_.size() >= kMostEpochs && !epochs_.contains(key)) forget_epochs();
    std::unique_ptr<Epoch>& epoch = epochs_[key];
    if (!epoch) epoch = make_epoch(states_);
    epoch_ = epoch.get();
  }
  evaluator_ = epoch_->system().evaluator();
  u_.resize(epoch_->structure().excitations);
  a_.resize(epoch_->structure().dof());
  lambda_.resize(epoch_->structure().constraint_rows);
  between_ = State(epoch_->structure());
  between_.t = state.t;
  finder_ = std::make_unique<integrate::RootFinder>(
      epoch_->structure(), 2 * dynamics_->count(),
      [this](const State& s, std::span<double> values) { functions(s, values); });
  // What has just become zero is not to vanish at once by round-off.
  starts_ = true;
  finder_->begin(state);
  starts_ = false;
}

// ---------------------------------------------------------------- where the next one is

/// For each contact what must stay positive: the gap of an open one; of a closed one the normal force,
/// and what friction has left, or the speed of sliding on.
void ContactEvents::functions(const State& state, std::span<double> values) {
  dynamics_->move_to(state);
  if (epoch_ != &open_) {
    epoch_->system().excitations(state.t, u_);
    evaluator_->move_to({state.q, state.v, state.x, u_});
    if (!epoch_->equations.accelerations(*evaluator_, a_, lambda_)) {
      std::copy(state.lambda.begin(), state.lambda.end(), lambda_.begin());
    }
  }
  for (int i = 0; i < dynamics_->count(); ++i) {
    double &first = values[2 * i], &second = values[2 * i + 1];
    first = second = 1.0;
    if (is_open(states_[i])) {
      first = dynamics_->gap(i);
      const bool parts = starts_ || dynamics_->opening(i) >= -rest_speed();
      if (parts && first > -kTouches * length_) first = std::max(first, kPositive);
      continue;
    }
    const coordinates::ContactRows& rows = epoch_->mechanism.contacts[i];
    first = lambda_[rows.depth];
    if (states_[i].mode == ContactMode::sticking) {
      const double force = model_.planar ? std::abs(lambda_[rows.slip])
                                         : std::hypot(lambda_[rows.slip], lambda_[rows.slip + 1]);
      second = dynamics_->law(i).friction * first - force;
    } else if (states_[i].mode == ContactMode::sliding) {
      second = model_.planar ? states_[i].direction * dynamics_->slip(i, 0)
                             : slip_[i][0] * dynamics_->slip(i, 0) +
                                   slip_[i][1] * dynamics_->slip(i, 1);
      if (!model_.planar && slip_[i][0] == 0.0 && slip_[i][1] == 0.0) second = 1.0;
    }
    if (starts_) first = std::max(first, kPositive), second = std::max(second, kPositive);
  }
}

bool ContactEvents::find(integrate::AdaptiveIntegrator& integrator, State& end) {
  const double t0 = between_.t, t1 = end.t;
  const auto look = [&](const State& at) {
    while (const auto crossing =
               finder_->look(integrator, at, kEventTime * settings_.until)) {
      if (crossing->rising) continue;
      crossed_ = crossing->function / 2;
      exceeded_ = crossing->function % 2 == 1;
      integrator.interpolate(crossing->t, end);
      end.t = crossing->t;
      return true;
    }
    return false;
  };
  for (int k = 1; k < kLooks; ++k) {
    integrator.interpolate(t0 + (t1 - t0) * k / kLooks, between_);
    between_.t = t0 + (t1 - t0) * k / kLooks;
    if (look(between_)) return true;
  }
  if (look(end)) return true;
  between_.t = t1;
  if (model_.planar) return false;
  for (int i = 0; i < dynamics_->count(); ++i) {
    if (states_[i].mode != ContactMode::sliding) continue;
    const double w = std::hypot(dynamics_->slip(i, 0), dynamics_->slip(i, 1));
    if (w > 0.0) slip_[i] = {dynamics_->slip(i, 0) / w, dynamics_->slip(i, 1) / w};
  }
  return false;
}

// ---------------------------------------------------------------- what is recorded

void ContactEvents::spread(const State& state, std::span<const double> lambda,
                           std::span<double> all) const {
  std::vector<char> own(lambda.size(), 1), common(all.size(), 1);
  const int tangents = model_.planar ? 1 : 2;
  const auto mark = [&](std::vector<char>& rows, const coordinates::ContactRows& of) {
    if (of.depth >= 0) rows[of.depth] = 0;
    for (int k = 0; of.slip >= 0 && k < tangents; ++k) rows[of.slip + k] = 0;
  };
  std::fill(all.begin(), all.end(), 0.0);
  for (const auto& rows : epoch_->mechanism.contacts) mark(own, rows);
  for (const auto& rows : closed_.contacts) mark(common, rows);
  for (std::size_t from = 0, to = 0; from < own.size(); ++from) {
    if (!own[from]) continue;
    while (!common[to]) ++to;
    all[to++] = lambda[from];
  }
  dynamics_->move_to(state);
  for (int i = 0; i < dynamics_->count(); ++i) {
    if (is_open(states_[i])) continue;
    const coordinates::ContactRows &from = epoch_->mechanism.contacts[i], &to = closed_.contacts[i];
    const double normal = lambda[from.depth];
    all[to.depth] = normal;
    for (int k = 0; to.slip >= 0 && k < tangents; ++k) {
      double& force = all[to.slip + k];
      if (from.slip >= 0) {
        force = lambda[from.slip + k];
      } else if (states_[i].mode == ContactMode::sliding) {
        const double d = model_.planar ? states_[i].direction : slip_[i][k];
        force = -dynamics_->law(i).friction * normal * d;
      }
    }
  }
}

void ContactEvents::complete(Summary& summary) const {
  summary.contacts = summary_;
  if (summary_.largest_gain > 0.0) {
    summary.warnings.push_back(fmt::format(
        "An impact with friction or unequal restitutions gained {:.3g} J: Newton's law of restitution "
        "allows that where sliding stops or reverses. Compare with a restitution of zero.",
        summary_.largest_gain));
  }
}

}  // namespace daedal::simulate
