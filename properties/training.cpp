#include <rootdk/lib/model/trainer.hpp>
#include <rootdk/properties/training.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace rootdk {
namespace {

constexpr std::int64_t kHeldOut = 256;

template <class T>
constexpr Dtype dtype_of() {
  return std::is_same_v<T, double> ? Dtype::f64 : Dtype::f32;
}

/// A matrix as a batch of `sequences` matrices below each other.
template <class T>
Tensor tensor(Matrix<T>& m, std::int64_t sequences = 1) {
  const std::int64_t rows = m.rows() / sequences;
  const std::int64_t cols = m.cols();
  return {.data = m.data(),
          .dtype = dtype_of<T>(),
          .shape = {sequences, 1, rows, cols},
          .stride = {rows * cols, rows * cols, cols, 1}};
}

template <class T>
void push(std::vector<Tensor>& tensors, std::span<T> alpha) {
  if (alpha.empty()) return;
  const auto count = static_cast<std::int64_t>(alpha.size());
  tensors.push_back({.data = alpha.data(),
                     .dtype = dtype_of<T>(),
                     .shape = {1, 1, 1, count},
                     .stride = {count, count, count, 1}});
}

template <class T>
void add_scores(HeadOperations<T>& operations, const Subject& subject,
                const Attributes& attributes) {
  using M = Matrix<T>;
  operations.scores = [&subject, attributes](M& q, M& k, std::span<T> alpha, M& s) {
    const auto sequences = k.rows() / s.cols();
    std::vector<Tensor> in{tensor(q, sequences), tensor(k, sequences)};
    push(in, alpha);
    subject.call("scores", Pass::forward, attributes, in, std::array{tensor(s, sequences)});
  };
  operations.scores_backward = [&subject, attributes](M& q, M& k, std::span<T> alpha, M& ds, M& dq,
                                                      M& dk, std::span<T> dalpha) {
    const auto sequences = k.rows() / ds.cols();
    std::vector<Tensor> in{tensor(q, sequences), tensor(k, sequences)};
    push(in, alpha);
    in.push_back(tensor(ds, sequences));
    std::vector<Tensor> out{tensor(dq, sequences), tensor(dk, sequences)};
    push(out, dalpha);
    subject.call("scores", Pass::backward, attributes, in, out);
  };
}

template <class T>
void add_norm(HeadOperations<T>& operations, const Subject& subject, std::int64_t d_k) {
  using M = Matrix<T>;
  const M ones = M::Ones(1, d_k);
  operations.norm = [&subject, gamma = ones](M& x, M& y) mutable {
    subject.call("rms_norm", Pass::forward, {}, std::array{tensor(x), tensor(gamma)},
                 std::array{tensor(y)});
  };
  operations.norm_backward = [&subject, gamma = ones, dgamma = ones](M& x, M& dy, M& dx) mutable {
    subject.call("rms_norm", Pass::backward, {}, std::array{tensor(x), tensor(gamma), tensor(dy)},
                 std::array{tensor(dx), tensor(dgamma)});
  };
}

template <class T>
HeadOperations<T> operations_of(const Subject& subject, const Training& training) {
  using M = Matrix<T>;
  HeadOperations<T> operations;
  add_scores(operations, subject, {.scheme = training.scheme});
  operations.softmax = [&subject](M& z, M& p) {
    subject.call("softmax", Pass::forward, {}, std::array{tensor(z)}, std::array{tensor(p)});
  };
  operations.softmax_backward = [&subject](M& z, M& dp, M& dz) {
    subject.call("softmax", Pass::backward, {}, std::array{tensor(z), tensor(dp)},
                 std::array{tensor(dz)});
  };
  if (training.row_norm) add_norm(operations, subject, training.setup.d_k);
  return operations;
}

template <class T>
std::vector<double> wide(const Matrix<T>& m) {
  return {m.data(), m.data() + m.size()};
}

template <class T>
std::vector<Trained> train_as(Block& block, std::span<const Training> trainings,
                              std::span<const std::int64_t> milestones, const RetrievalTask& task) {
  Stream rotation = block.stream("rotation");
  Stream fresh = block.stream("examples");
  Stream aside = block.stream("held out");
  const Retrieval<T> retrieval(task, rotation);
  const RetrievalBatch<T> held_out = retrieval.draw(aside, kHeldOut / task.queries);
  std::vector<Head<T>> heads;
  std::vector<Trained> result;
  for (const Training& training : trainings) {
    Stream weights = block.stream("weights");
    heads.emplace_back(training.setup, task.n_in, weights,
                       operations_of<T>(block.subject(), training));
    result.push_back({.before = heads.back().measure(held_out), .at = {}, .alpha = {}});
  }
  std::int64_t step = 0;
  for (const std::int64_t milestone : milestones) {
    for (; step < milestone; ++step) {
      const RetrievalBatch<T> batch = retrieval.draw(fresh);
      for (std::size_t i = 0; i < heads.size(); ++i) {
        heads[i].step(batch);
        result[i].alpha.push_back(heads[i].alpha());
      }
    }
    for (std::size_t i = 0; i < heads.size(); ++i) {
      result[i].at.push_back(heads[i].measure(held_out));
    }
  }
  for (std::size_t i = 0; i < heads.size(); ++i) {
    result[i].w_q = wide(heads[i].query_weights());
    result[i].w_k = wide(heads[i].key_weights());
  }
  return result;
}

}  // namespace

Training head(std::string_view scheme, std::string_view optimiser, double rate) {
  Training result{.scheme = scheme};
  result.setup.query.optimiser = optimiser == "sgd" ? Optimiser::sgd : Optimiser::adam;
  result.setup.query.rate = rate;
  result.setup.key = result.setup.query;
  return result;
}

Training head_with_scale(std::string_view optimiser, double rate, double times, double scale_rate) {
  Training result = head("learnable", optimiser, rate);
  result.setup.has_scale = true;
  result.setup.alpha = times / std::sqrt(static_cast<double>(result.setup.d_k));
  result.setup.scale.rate = scale_rate;
  return result;
}

std::vector<Trained> train(Block& block, std::span<const Training> heads,
                           std::span<const std::int64_t> milestones, const RetrievalTask& task) {
  if (block.dtype() == Dtype::f64) return train_as<double>(block, heads, milestones, task);
  if (block.dtype() == Dtype::f32) return train_as<float>(block, heads, milestones, task);
  throw std::invalid_argument(
      fmt::format("train: dtype {} is neither f64 nor f32", name(block.dtype())));
}

std::vector<Need> training_needs(bool row_norm) {
  std::vector<Need> needs{{"scores", Pass::forward},
                          {"scores", Pass::backward},
                          {"softmax", Pass::forward},
                          {"softmax", Pass::backward}};
  if (row_norm) {
    needs.push_back({"rms_norm", Pass::forward});
    needs.push_back({"rms_norm", Pass::backward});
  }
  return needs;
}

}  // namespace rootdk
