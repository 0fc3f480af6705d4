#include "daedal/study/executor.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace daedal::study {

void ThreadExecutor::run(std::span<const Task> tasks, Monitor& monitor) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::exception_ptr failure;
  std::mutex one_at_a_time;

  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size() && !stopped; i = next++) {
      try {
        const Row row = execute(tasks[i], [&](double part) {
          if (!stopped && !monitor.running(i, part)) stopped = true;
          return !stopped;
        });
        const std::lock_guard lock(one_at_a_time);
        if (row.status != kInterrupted) monitor.finished(i, row);
      } catch (...) {
        const std::lock_guard lock(one_at_a_time);
        if (!failure) failure = std::current_exception();
        stopped = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count = std::min<std::size_t>(std::size_t(threads_), tasks.size());
    for (std::size_t k = 1; k < count; ++k) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace daedal::study
