#pragma once

#include <string>
#include <vector>

namespace rootdk::cli {

/// The processes of one run under mpirun, of a build with ROOTDK_MPI; otherwise one process alone.
class Ranks {
 public:
  /// Joins the others if the command was started by mpirun.
  Ranks(int argc, char** argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  static int rank();
  static int size();
  /// All texts, by rank, at rank 0; nothing elsewhere.
  static std::vector<std::string> gather(const std::string& text);
};

}  // namespace rootdk::cli
