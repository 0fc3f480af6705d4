#pragma once

#include <chrono>

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

 private:
  void draw(const simulate::Progress& progress);
  void clear();

  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace daedal::app
