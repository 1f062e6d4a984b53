#pragma once

#include <rootdk/lib/model/training.hpp>
#include <rootdk/properties/claim.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace rootdk {

/// One head to be trained.
struct Training {
  std::string_view scheme = "sqrt_dk";
  bool row_norm = false;  ///< rows of q and k are RMSNormed (γ = 1, ε = 0) before the product
  HeadSetup setup{};
};

/// What a training left behind.
struct Trained {
  HeadMeasures before;
  std::vector<HeadMeasures> at;  ///< after each milestone
  std::vector<double> alpha;     ///< after each step
  std::vector<double> w_q, w_k;  ///< at the end, row by row
};

/// Factor of the effort's δ at which a share of ½ counts as the defect to be excluded at standard
/// effort: 0.99 exp(−0.05 · 14) = 0.492. At quick effort it is 0.06, at deep 0.86.
inline constexpr double kHalf = 14;

/// W_Q and W_K by the same optimiser, "sgd" or "adam", at one rate.
Training head(std::string_view scheme, std::string_view optimiser, double rate);
/// The scheme "learnable" with α = e^a, which starts at `times`/√d_k; a is trained by Adam.
Training head_with_scale(std::string_view optimiser, double rate, double times, double scale_rate);

/// Trains heads on the key-retrieval task (see Retrieval) through the subject's scores, softmax and
/// RMSNorm. All heads of a block start from the same draws of W_Q and W_K and see the same
/// examples; blocks share nothing. Held out are 256 examples.
///
/// @param milestones rising numbers of steps after which the heads are measured
std::vector<Trained> train(Block& block, std::span<const Training> heads,
                           std::span<const std::int64_t> milestones,
                           const RetrievalTask& task = {});

/// What `train` needs of a subject.
std::vector<Need> training_needs(bool row_norm = false);

}  // namespace rootdk
