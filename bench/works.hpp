#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rootdk::bench {

/// A piece of work that is timed: prepared once, outside the clock, and run as often as asked.
struct Work {
  std::string name;
  /// Returns the work itself, which holds its data and gives a number to compare with the peer's.
  std::function<std::function<double()>()> prepare;
};

/// The works of the side-by-side runs, and those that the machine is measured by.
const std::vector<Work>& works();

/// How cost grows: points (x, y) of one quantity against another.
struct Growth {
  std::string name;
  std::string x_name, y_name;
  double expected_slope;  ///< of log y against log x
  std::vector<double> x, y;
};
std::vector<Growth> growth();

/// Floating-point operations of the matrix products in one run of the work "sampler".
double sampler_flops();

/// The calling thread's processor time, in seconds.
double processor_seconds();

}  // namespace rootdk::bench
