#pragma once

#include <rootdk/reports/record.hpp>

#include <string>
#include <vector>

namespace rootdk::reports {

/// One difference between two results.
struct Change {
  enum class Kind : std::uint8_t {
    newly_failing,  ///< verified before, not now: a regression
    shifted_away,   ///< the estimate moved away from the claim: a regression
    newly_passing,  ///< not verified before, verified now
    shifted_back,   ///< the estimate moved towards the claim
    appeared,       ///< a claim that the old result does not have
    vanished,       ///< a claim that the new result does not have
    plan            ///< another δ, or another number of samples
  };
  Kind kind;
  std::string claim;
  std::string text;   ///< what was and what is
  std::string where;  ///< check and configuration of a shift, else empty
  double p = 1;       ///< of a shift
};

struct Comparison {
  std::vector<Change> changes;  ///< regressions first
  std::size_t tests = 0;        ///< two-sample tests that were made
  double alpha = 0;             ///< chance that unchanged claims show a shift anywhere, at most
};

bool is_regression(const Change& change);
bool is_regression(const Comparison& comparison);

/// What changed from one result to another.
///
/// A shift is found by a two-sample test of the first looks of both, whose sizes are fixed before
/// anything is drawn. Guarantee: if no law changed, (a) a shift is reported with a probability of
/// at most α, half of it shared by the pooled tests, half by those of common configurations.
/// Results of one seed share their draws, which makes the test only more cautious.
///
/// @throws std::invalid_argument if the results are of different efforts
Comparison compare(const Result& before, const Result& after, double alpha = 1e-6);

/// One line a change, then a summary.
std::string to_console(const Comparison& comparison);

}  // namespace rootdk::reports
