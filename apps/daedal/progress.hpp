#pragma once

#include <chrono>
#include <string>

#include "daedal/simulate/simulation.hpp"

namespace daedal::app {

/// A bar on a terminal's standard error, and the interruption by Ctrl-C: the first asks the run to
/// stop after the present step, a second one kills the program.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();

  /// False once the run shall stop.
  bool operator()(const simulate::Progress& progress);
  /// The same for any work: the part that is done, and what to write beside the bar.
  bool operator()(double part, const std::string& detail);

 private:
  void draw(double part, const std::string& detail);
  bool is_due();
  void clear();

  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace daedal::app
