#pragma once

#include <rootdk/properties/run.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rootdk {

/// What the claims say of one planted defect.
struct DefectOutcome {
  std::string id;
  bool equivalent = false;
  bool refuted = false;             ///< by a claim that it names
  std::vector<std::string> by;      ///< ids of all claims that refuted it
  std::vector<std::string> missed;  ///< named claims that did not
  double samples = 0;               ///< used by the first named claim that refuted it
  std::string where;                ///< check and configuration in which that claim refuted it
  /// Probability that this check refutes there, by its law, of the effect seen in one set of fresh
  /// data. None for a bound: what the data show of a fault is no matter of a law.
  std::optional<double> predicted = std::nullopt;
  std::int64_t repeats = 0;         ///< sets of fresh data that it was judged on
  std::int64_t refuted_again = 0;   ///< of which were refuted
  std::size_t verified_others = 0;  ///< claims that are verified still
  std::size_t claims = 0;           ///< that were judged
};

/// Each defect against the claims: those that it names at the settings' effort, until one
/// configuration refutes; those that call no operation that it wraps hold as before; the others at
/// quick effort. Equivalent forms go through all claims that call what they wrap, at the settings'
/// effort. Claims about trainings, which are slow, are judged where they are named.
std::vector<DefectOutcome> kill_matrix(const std::vector<const Defect*>& defects,
                                       const RunSettings& settings,
                                       const std::function<void(const Progress&)>& report,
                                       const std::atomic<bool>& stop);

}  // namespace rootdk
