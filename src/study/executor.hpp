#pragma once

#include <cstddef>
#include <span>

#include "daedal/study/task.hpp"

namespace daedal::study {

/// Hears from an executor.
class Monitor {
 public:
  virtual ~Monitor() = default;
  /// The part of a task that is done, from any thread; false ends all work.
  virtual bool running(std::size_t task, double part) = 0;
  /// A row, one at a time; not those that an end of all work cut short.
  virtual void finished(std::size_t task, const Row& row) = 0;
};

/// Carries tasks that know nothing of each other: a study is a map over them.
///
/// A task is plain data and execute() a pure function, so an executor may send it to another
/// process or machine.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Returns when all tasks are finished, or after the monitor has ended the work. What the
  /// monitor throws ends the work and is thrown again here.
  virtual void run(std::span<const Task> tasks, Monitor& monitor) = 0;
};

/// Threads of this process, each with one task at a time.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(int threads) : threads_(threads < 1 ? 1 : threads) {}
  void run(std::span<const Task> tasks, Monitor& monitor) override;
  int threads() const { return threads_; }

 private:
  int threads_;
};

}  // namespace daedal::study
