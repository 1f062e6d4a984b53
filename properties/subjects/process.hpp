#pragma once

#include <rootdk/properties/subject.hpp>

#include <chrono>
#include <string>

namespace rootdk {

/// Limits of a subject in another process.
struct ProcessLimits {
  std::chrono::seconds start{60};  ///< until its header; imports of large frameworks are slow
  std::chrono::seconds call{20};   ///< of one call
};

/// A subject that runs in another process, started as `sh -c COMMAND`, which speaks the protocol of
/// docs/subject-protocol.md on its standard input and output. One child a thread that calls it; a
/// child that fails is ended, and another one is started for the next call.
///
/// A call that the child does not declare it can do throws NotApplicable; a crash, a hang, an answer
/// of the wrong length or an error of the child's throws std::runtime_error with the reason and the
/// operation.
///
/// @throws std::invalid_argument if it cannot be started, gives no header in time, or speaks another
///         version
Subject process_subject(const std::string& command, const ProcessLimits& limits = {});

/// A shared library with the C interface of rootdk_subject.h, served by the program `rootdk-host`,
/// which stands beside this command.
Subject shared_library_subject(const std::string& path, const ProcessLimits& limits = {});

}  // namespace rootdk
