#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace rootdk {

/// Threads of a setting in which 0 stands for all cores.
inline std::size_t threads_for(std::size_t jobs) {
  return jobs > 0 ? jobs : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

/// Runs work(0) … work(count − 1) on `jobs` threads, each number once, in rising order of start.
/// The calling thread waits and calls tick(done) about ten times a second.
///
/// Each call writes its own result, so that nothing depends on the number of threads. What a call
/// throws ends the loop and is thrown again from here.
template <class Work, class Tick>
void parallel_for(std::size_t count, std::size_t jobs, const std::atomic<bool>& stop, Work&& work,
                  Tick&& tick) {
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::condition_variable finished;
  std::exception_ptr failure;
  const auto loop = [&] {
    for (;;) {
      const std::size_t i = next.fetch_add(1);
      if (i >= count || stop) return;
      std::exception_ptr thrown;
      try {
        work(i);
      } catch (...) {
        thrown = std::current_exception();
        next = count;
      }
      const std::scoped_lock lock(mutex);
      ++done;
      if (thrown && !failure) failure = thrown;
      finished.notify_one();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < std::min(jobs, count); ++t) threads.emplace_back(loop);
  std::unique_lock lock(mutex);
  while (done < count && !stop && !failure) {
    finished.wait_for(lock, std::chrono::milliseconds(100));
    const std::size_t seen = done;
    lock.unlock();
    tick(seen);
    lock.lock();
  }
  lock.unlock();
  threads.clear();  // waits for those at work
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rootdk
