#pragma once

#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/model/training.hpp>
#include <rootdk/lib/random/stream.hpp>

#include <cstdint>
#include <vector>

namespace rootdk {

/// Sequences below each other: query i of sequence b is row b·queries + i.
template <class T>
struct RetrievalBatch {
  Matrix<T> x_q;  ///< [sequences · queries, n_in]
  Matrix<T> x_k;  ///< [sequences · keys, n_in]
  Matrix<T> v;    ///< ±1 [sequences · keys, d_v]
  std::int64_t sequences = 0;
  std::vector<Eigen::Index> answers;  ///< row of x_k and v that each query asks for
};

/// Key retrieval: keys x_j = RMSNorm(N(0, I)), a query RMSNorm(x_j R + noise · N(0, I)) with a
/// fixed rotation R that must be learned; the answer is v_j. The query's noise gives the best scale
/// of the scores a finite value; without it larger scores are better without end.
template <class T>
class Retrieval {
 public:
  /// Draws R, Haar distributed.
  Retrieval(const RetrievalTask& task, Stream& stream);

  const RetrievalTask& task() const { return task_; }

  /// Draws fresh sequences.
  ///
  /// @param sequences how many; the task's number if 0
  RetrievalBatch<T> draw(Stream& stream, std::int64_t sequences = 0) const;

 private:
  RetrievalTask task_;
  Matrix<T> rotation_;  ///< [n_in, n_in]
};

}  // namespace rootdk
