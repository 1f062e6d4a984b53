#pragma once

#include <rootdk/properties/run.hpp>

#include <atomic>
#include <functional>
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
  std::size_t verified_others = 0;  ///< claims that still hold
  std::size_t claims = 0;
};

/// Each defect against the claims: those that it names at the settings' effort, until one
/// configuration refutes; those that need no operation it touches hold as before; the others at
/// quick effort.
std::vector<DefectOutcome> kill_matrix(const std::vector<const Defect*>& defects,
                                       const RunSettings& settings,
                                       const std::function<void(const Progress&)>& report,
                                       const std::atomic<bool>& stop);

}  // namespace rootdk
