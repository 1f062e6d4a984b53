#include <rootdk/lib/init/orthogonal.hpp>
#include <rootdk/lib/model/retrieval.hpp>
#include <rootdk/lib/random/draws.hpp>

#include <cmath>
#include <span>

namespace rootdk {
namespace {

template <class T>
void fill(Stream& stream, Matrix<T>& m, double sd) {
  fill_normal<T>(stream, std::span(m.data(), static_cast<std::size_t>(m.size())), 0, sd);
}

/// Every row to a root mean square of 1.
template <class T>
void normalise(Matrix<T>& m) {
  const T root = std::sqrt(static_cast<T>(m.cols()));
  for (Eigen::Index i = 0; i < m.rows(); ++i) m.row(i) *= root / m.row(i).norm();
}

template <class T>
void fill_signs(Stream& stream, Matrix<T>& m) {
  std::uint64_t bits = 0;
  for (Eigen::Index i = 0; i < m.size(); ++i, bits >>= 1U) {
    if (i % 64 == 0) bits = stream();
    m.data()[i] = (bits & 1U) != 0 ? T(1) : T(-1);
  }
}

}  // namespace

template <class T>
Retrieval<T>::Retrieval(const RetrievalTask& task, Stream& stream)
    : task_(task), rotation_(task.n_in, task.n_in) {
  fill_orthogonal<T>(stream, 1, rotation_);
}

template <class T>
RetrievalBatch<T> Retrieval<T>::draw(Stream& stream, std::int64_t sequences) const {
  if (sequences == 0) sequences = task_.sequences;
  RetrievalBatch<T> batch{.x_q = Matrix<T>(sequences * task_.queries, task_.n_in),
                          .x_k = Matrix<T>(sequences * task_.keys, task_.n_in),
                          .v = Matrix<T>(sequences * task_.keys, task_.d_v),
                          .sequences = sequences,
                          .answers = {}};
  fill(stream, batch.x_k, 1);
  normalise(batch.x_k);
  fill(stream, batch.x_q, task_.noise);
  fill_signs(stream, batch.v);
  Matrix<T> asked(batch.x_q.rows(), task_.n_in);
  for (Eigen::Index i = 0; i < batch.x_q.rows(); ++i) {
    // A product with a 64-bit word has no bias worth speaking of: below 16/2⁶⁴.
    const auto key = static_cast<Eigen::Index>(stream() % static_cast<std::uint64_t>(task_.keys));
    batch.answers.push_back(i / task_.queries * task_.keys + key);
    asked.row(i) = batch.x_k.row(batch.answers.back());
  }
  batch.x_q.noalias() += asked * rotation_;
  normalise(batch.x_q);
  return batch;
}

template class Retrieval<double>;
template class Retrieval<float>;

}  // namespace rootdk
