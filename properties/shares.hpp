#pragma once

#include <rootdk/properties/run.hpp>
#include <rootdk/reports/record.hpp>

#include <vector>

namespace rootdk {

/// The records of a share, to be stored or sent.
reports::Part to_part(const PreparedRun& prepared, const Records& records, Share share);

/// Puts the parts of one run together again.
///
/// @throws std::invalid_argument if the parts are not of one run, or one is missing or there twice
Records gather(const PreparedRun& prepared, const std::vector<reports::Part>& parts);

/// Checks that parts belong to one run and are all there.
///
/// @throws std::invalid_argument naming what differs or is missing
void require_one_run(const std::vector<reports::Part>& parts);

}  // namespace rootdk
