#include <rootdk/properties/cli/ranks.hpp>

#include <cstdlib>

#ifdef ROOTDK_MPI
#include <mpi.h>
#endif

namespace rootdk::cli {

#ifdef ROOTDK_MPI

namespace {

bool joined = false;

/// Starting MPI costs a tenth of a second, so a command outside mpirun does without. These are set
/// by Open MPI, by MPICH and by SLURM's PMI.
bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

Ranks::Ranks(int argc, char** argv) {
  if (!started_by_mpirun()) return;
  MPI_Init(&argc, &argv);
  joined = true;
}

Ranks::~Ranks() {
  if (joined) MPI_Finalize();
  joined = false;
}

int Ranks::rank() {
  int result = 0;
  if (joined) MPI_Comm_rank(MPI_COMM_WORLD, &result);
  return result;
}

int Ranks::size() {
  int result = 1;
  if (joined) MPI_Comm_size(MPI_COMM_WORLD, &result);
  return result;
}

std::vector<std::string> Ranks::gather(const std::string& text) {
  constexpr int tag = 0;
  if (rank() > 0) {
    // A message's length is an int: two gigabytes are far more than a share of all claims.
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag, MPI_COMM_WORLD);
    return {};
  }
  std::vector<std::string> texts{text};
  for (int from = 1; from < size(); ++from) {
    MPI_Status status;
    MPI_Probe(from, tag, MPI_COMM_WORLD, &status);
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string& received = texts.emplace_back(static_cast<std::size_t>(length), ' ');
    MPI_Recv(received.data(), length, MPI_CHAR, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return texts;
}

#else

Ranks::Ranks(int, char**) {}
Ranks::~Ranks() = default;
int Ranks::rank() { return 0; }
int Ranks::size() { return 1; }
std::vector<std::string> Ranks::gather(const std::string& text) { return {text}; }

#endif

}  // namespace rootdk::cli
