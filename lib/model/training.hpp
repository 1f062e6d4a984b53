#pragma once

#include <cstdint>

namespace rootdk {

/// Shape of the key-retrieval task. One batch has as many independent sequences as `sequences`.
struct RetrievalTask {
  std::int64_t n_in = 32;      ///< width of the inputs
  std::int64_t keys = 16;      ///< keys of one sequence
  std::int64_t queries = 16;   ///< queries of one sequence
  std::int64_t sequences = 4;  ///< sequences of one batch
  std::int64_t d_v = 8;        ///< width of the values
  double noise = 2;            ///< standard deviation of a query's noise, entry by entry
};

enum class Optimiser : std::uint8_t { sgd, adam };

/// How one tensor is updated.
struct Update {
  Optimiser optimiser = Optimiser::adam;
  double rate = 1e-3;
  double epsilon = 1e-8;  ///< Adam's
};

/// What a head starts from and how it is trained.
struct HeadSetup {
  std::int64_t d_k = 256;
  double gain = 1;          ///< W_Q, W_K ~ N(0, gain²/n_in)
  double query_factor = 1;  ///< W_Q is multiplied by it afterwards
  Update query{}, key{};
  bool has_scale = false;  ///< the scheme's one parameter is α = e^a, and a is trained by `scale`
  double alpha = 1;        ///< α at the start
  Update scale{};
};

/// What a head does on a held-out batch.
struct HeadMeasures {
  double loss = 0;                         ///< mean (output − v_j)²
  double var_q = 0, var_k = 0, var_s = 0;  ///< variance over all entries
  double entropy = 0;                      ///< mean H(p)/ln m, in [0, 1]
};

}  // namespace rootdk
