#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daedal/integrate/root_finder.hpp"
#include "daedal/simulate/contact_dynamics.hpp"
#include "daedal/simulate/epoch.hpp"
#include "daedal/simulate/recorder.hpp"
#include "daedal/simulate/watch.hpp"

namespace daedal::simulate {

/// Contacts in a run from event to event: between two the same ones are closed, by equations.
///
/// An event is where a gap closes, where the force of a closed contact vanishes, where friction that
/// holds reaches its limit, and where sliding comes to a stop. What happens there, in this order
/// [PfeifferGlocker1996]:
///
///     the impact of all contacts whose gaps are closed, if one of them approaches
///     of those that neither open nor close, which hold, stick or slide: complementarity of forces
///     and accelerations
///     equations of the new epoch
///
/// Impacts may accumulate. A contact whose next flight would be shorter than a millionth of the run,
/// or that comes back too often in such a time, loses its restitution: it stays closed, and that is
/// reported.
class ContactEvents final : public MultiplierRecord {
 public:
  /// `open` is the epoch in which no contact is closed.
  ContactEvents(const model::Model& model, const Settings& settings, const MethodChoice& choice,
                Epoch& open, Recorder* recorder);
  ~ContactEvents() override;

  /// What contacts do in a state of which nothing more is known. Throws model::ModelError where
  /// bodies penetrate each other.
  void begin(integrate::State& state);
  /// Looks for an event in the last step, which ends at `end`. If there is one, that is where it is.
  bool find(integrate::AdaptiveIntegrator& integrator, integrate::State& end);
  /// Velocities after the event, and the equations from here on. Also where forces jump.
  void resolve(integrate::State& state);

  /// How the last of these went.
  Status status() const { return status_; }
  const std::string& message() const { return message_; }
  Epoch& epoch() { return *epoch_; }
  /// Of all epochs.
  correct::NewtonCounters counters() const;

  const system::Structure& structure() const override;
  const std::vector<std::string>& contacts() const override { return summary_.points; }
  void spread(const integrate::State& state, std::span<const double> lambda,
              std::span<double> all) const override;

  void complete(Summary& summary) const;

 private:
  /// How often a contact has met lately.
  struct Meeting {
    double since = 0.0;
    int count = 0;
    bool settled = false;
  };

  void forget_epochs();
  void enter(const integrate::State& state);
  bool collide(integrate::State& state, const std::vector<int>& touching);
  void hold(integrate::State& state, const std::vector<int>& touching);
  std::optional<ContactDynamics::AtLimit> at_limit() const;
  void see_speed(int contact);
  double rest_speed() const;
  bool keeps_meeting(int contact, double t);
  void set_state(int contact, coordinates::ContactState to, double t);
  void tell(double t, ContactEvent::Kind kind, int contact,
            const std::array<double, 3>& impulse = {});
  void functions(const integrate::State& state, std::span<double> values);
  bool fail(Status status, std::string message);
  std::unique_ptr<Epoch> make_epoch(std::span<const coordinates::ContactState> states);
  std::string name(int contact) const { return dynamics_->point(contact).name; }

  const model::Model& model_;
  const Settings& settings_;
  const MethodChoice& choice_;
  Recorder* recorder_;
  coordinates::Mechanism absolute_;  // joint coordinates are made of it
  Epoch& open_;
  coordinates::Mechanism closed_;
  std::unique_ptr<ContactDynamics> dynamics_;
  double length_, shortest_;

  std::vector<coordinates::ContactState> states_;
  std::vector<std::array<double, 2>> slip_;  // directions of sliding at the last look
  using Key = std::vector<int>;
  std::map<Key, std::unique_ptr<Epoch>> epochs_;
  Epoch* epoch_;
  std::unique_ptr<system::Evaluator> evaluator_;  // of the epoch
  std::vector<math::Jet> u_;
  std::vector<double> a_, lambda_;
  std::unique_ptr<integrate::RootFinder> finder_;
  integrate::State between_;
  std::optional<int> crossed_;  // contact of the event
  bool exceeded_ = false;       // by its friction, not in its normal direction
  bool starts_ = false;  // an epoch

  std::vector<Meeting> meetings_;
  double fastest_ = 0.0;      // motion at a contact so far [m/s]
  double last_event_ = -1.0;  // time
  int at_once_ = 0;           // events since time went on
  correct::NewtonCounters past_;
  Status status_ = Status::done;
  std::string message_;
  ContactSummary summary_;
};

}  // namespace daedal::simulate
