#pragma once

#include <rootdk/lib/model/retrieval.hpp>
#include <rootdk/lib/model/training.hpp>

#include <functional>
#include <span>
#include <vector>

namespace rootdk {

/// The operations of a head that a trainer leaves to others: forward and backward of the scores,
/// the softmax and, where the rows of q and k are normed before the product, of that norm.
///
/// Rows of q are `sequences` blocks of queries, rows of k as many blocks of keys; a block of
/// queries sees its own keys. Outputs have their size already. Matrices are not const because the
/// kernels under test take plain tensors.
template <class T>
struct HeadOperations {
  using M = Matrix<T>;
  std::function<void(M& q, M& k, std::span<T> alpha, M& s)> scores;
  std::function<void(M& q, M& k, std::span<T> alpha, M& ds, M& dq, M& dk, std::span<T> dalpha)>
      scores_backward;
  std::function<void(M& z, M& p)> softmax;
  std::function<void(M& z, M& dp, M& dz)> softmax_backward;
  std::function<void(M& x, M& y)> norm;  ///< empty where there is none
  std::function<void(M& x, M& dy, M& dx)> norm_backward;
};

/// Plain SGD, w ← w − η g, or Adam with β = (0.9, 0.999), both moments corrected for their start at
/// 0: w ← w − η m̂/(√v̂ + ε). No decay.
///
/// @source Kingma, Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1
template <class T>
class Updater {
 public:
  Updater(const Update& update, std::size_t size);
  void step(std::span<T> weights, std::span<const T> gradient);

 private:
  Update update_;
  double power1_ = 1, power2_ = 1;  ///< β₁ᵗ, β₂ᵗ
  std::vector<T> mean_, square_;
};

/// One attention head, out = softmax(S) V, S the scores of x_q W_Q and x_k W_K, trained on the mean
/// of (out − v_j)².
template <class T>
class Head {
 public:
  /// @param stream draws W_Q, then W_K, whatever the other settings
  Head(const HeadSetup& setup, std::int64_t n_in, Stream& stream, HeadOperations<T> operations);

  /// One step against the gradient of a batch.
  void step(const RetrievalBatch<T>& batch);
  HeadMeasures measure(const RetrievalBatch<T>& batch);

  double alpha() const;  ///< 1 where the scheme has no scale of its own
  const Matrix<T>& query_weights() const { return w_q_; }  ///< [n_in, d_k]
  const Matrix<T>& key_weights() const { return w_k_; }    ///< [n_in, d_k]

 private:
  /// Kept between steps, so that nothing is allocated in one.
  struct Activations {
    Matrix<T> q, k, normed_q, normed_k, s, p;
    Matrix<T> error;  ///< output − v_j
  };
  struct Gradients {
    Matrix<T> p, s, q, k, normed, w;
  };

  std::vector<T> alphas() const;
  void forward(const RetrievalBatch<T>& batch);
  void backward_to_scores(const RetrievalBatch<T>& batch);

  HeadOperations<T> operations_;
  Matrix<T> w_q_, w_k_;
  std::vector<T> log_alpha_;  ///< one value, or none
  Updater<T> query_, key_, scale_;
  Activations at_;
  Gradients d_;
};

}  // namespace rootdk
