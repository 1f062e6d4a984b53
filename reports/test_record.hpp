#pragma once

#include <rootdk/stats/verdict.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace rootdk::reports {

using stats::Verdict;

/// One test: of one check in one configuration, or of one check pooled over all of them. Expected
/// value, estimate and interval are in the unit of the statement.
struct TestRecord {
  std::string configuration;  ///< "d_k=17,n=8", or "pooled"
  std::string check;          ///< "variance", "support", "W3"
  std::string law;            ///< "chi_squared", "bound", …
  double expected = 0;
  double estimate = 0;
  std::array<double, 2> interval{};
  double delta = 0;  ///< smallest effect that the test was planned to see, in `unit`s
  double unit = 1;   ///< one unit of δ, in the unit of the statement
  double alpha = 0;
  double beta = 0;
  double p = 1;
  double log10_p = 0;
  double nu_planned = 0;
  double nu_used = 0;
  double statistic = 0;  ///< X of the law
  double nu_first = 0;   ///< first look, from which the pooled test is made
  double statistic_first = 0;
  std::int64_t look = 0;  ///< number of the look that decided, from 1; 0 where none did
  Verdict verdict = Verdict::inconclusive;
  std::string reason;
  double error_u = 0;      ///< bound: largest error, in units of roundoff
  double tolerance_u = 0;  ///< bound: its tolerance
  std::string where;       ///< bound: the place of the largest error, both values
  std::string replay;      ///< token for `rootdk replay`
  double wall_s = 0;       ///< time of the configuration, booked on its first check; not stored
};

}  // namespace rootdk::reports
