#include "progress.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace daedal::app {

namespace {

volatile sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  interrupted = 1;
  signal(SIGINT, SIG_DFL);
}

}  // namespace

ProgressBar::ProgressBar(bool wanted)
    : visible_(wanted && isatty(STDERR_FILENO)),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

ProgressBar::~ProgressBar() { clear(); }

bool ProgressBar::operator()(const simulate::Progress& progress) {
  if (interrupted) return false;
  if (is_due()) {
    draw(progress.t / progress.until,
         fmt::format("t = {:.4g} s  {} steps", progress.t, progress.steps));
  }
  return true;
}

bool ProgressBar::operator()(double part, const std::string& detail) {
  if (interrupted) return false;
  if (is_due()) draw(part, detail);
  return true;
}

bool ProgressBar::is_due() {
  if (!visible_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ <= std::chrono::milliseconds(100)) return false;
  last_ = now;
  return true;
}

void ProgressBar::draw(double part, const std::string& detail) {
  constexpr int kWidth = 32;
  part = std::clamp(part, 0.0, 1.0);
  const double spent = std::chrono::duration<double>(last_ - begin_).count();
  const int filled = static_cast<int>(part * kWidth);
  fmt::print(stderr, "\r[{}{}] {:5.1f} %  {}  {:.0f} s left \x1b[K", std::string(filled, '='),
             std::string(kWidth - filled, ' '), 100.0 * part, detail,
             part > 0.0 ? spent * (1.0 - part) / part : 0.0);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace daedal::app
