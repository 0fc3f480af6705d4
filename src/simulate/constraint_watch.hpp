#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/doctor/dependence.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/summary.hpp"
#include "daedal/simulate/watch.hpp"

namespace daedal::simulate {

/// Looks at what constraints do while a run goes: whether a step leaves them open, whether they come
/// to contradict each other, and which singular positions the mechanism passes.
class ConstraintWatch {
 public:
  /// `tolerance` is the run's, `length` that of the mechanism [m].
  ConstraintWatch(const coordinates::Mechanism& mechanism, formulate::AccelerationLevel& equations,
                  Watch& watch, double tolerance, double length);

  /// Dependence at the start. `singular_start` is a sentence if that is a singular position.
  void begin(const doctor::Dependence& dependence, std::string singular_start);

  /// A step to what the watch looked at last leaves constraints open: it is not to be taken.
  bool leaves_open() const;
  /// What contradicts what at the end of a step, where dependent constraints do not hold; else empty.
  std::string contradiction(const integrate::State& end);
  /// The same at a state that no step leads on from: drives may part by less than a step leaves open.
  std::string contradiction_at_end(const integrate::State& state);

  /// After a step: constraints may have become dependent that were not. `certain`: a matrix of the
  /// method was singular.
  void notice_singularity(const integrate::State& state, bool certain, long steps);
  bool passed_singularity() const { return !passages_.empty(); }
  /// Words to add to a message on a failure at a state next to a singular position, or of
  /// constraints that are nearly dependent; else empty.
  std::string singular_here(const integrate::State& state) const;

  /// Puts the verdict and the warnings into the summary.
  void complete(Summary& summary) const;

 private:
  /// Reactions grow without bound towards a singular position, and so do those to a load that is
  /// always there where a drive passes it without any. A surge beyond what was usual is a reason to
  /// look, and again each time that it has doubled.
  struct Surge {
    double usual = 0.0, looked = 0.0;
    bool high = false, grown = false;
    void add(double value, long steps);
  };

  double open_share() const;
  std::string irreconcilable(const integrate::State& state);

  const coordinates::Mechanism& mechanism_;
  formulate::AccelerationLevel& equations_;
  Watch& watch_;
  double tolerance_, length_;
  std::string singular_start_;
  /// Constraints that are nearly dependent at the start: their names, and with what that means.
  std::vector<std::string> near_, near_warnings_;
  bool redundant_ = false;
  std::string verdict_;
  bool explained_ = false;  // a singular matrix has been met and explained
  Surge multipliers_, compliance_;
  int looks_ = 0;                 // in vain, at what might have been a singular position
  bool passing_ = false;          // one that has been noticed
  std::vector<double> passages_;  // times of singular positions [s]
  std::string warning_;           // on the first of them
  double slip_ = 0.0;             // largest rate of rows of velocities that was looked at
};

}  // namespace daedal::simulate
