#include <rootdk/lib/model/trainer.hpp>
#include <rootdk/lib/random/draws.hpp>

#include <cmath>
#include <utility>

namespace rootdk {
namespace {

template <class T>
std::span<T> scalars(Matrix<T>& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

template <class T>
Matrix<T> weights(Stream& stream, std::int64_t n_in, std::int64_t d_k, double gain) {
  Matrix<T> w(n_in, d_k);
  fill_normal<T>(stream, scalars(w), 0, gain / std::sqrt(static_cast<double>(n_in)));
  return w;
}

template <class T>
double variance(const Matrix<T>& m) {
  const Eigen::ArrayXXd wide = m.template cast<double>().array();
  return (wide - wide.mean()).square().mean();
}

template <class T>
double relative_entropy(const Matrix<T>& p) {
  double sum = 0;
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    const auto value = static_cast<double>(p.data()[i]);
    if (value > 0) sum -= value * std::log(value);
  }
  return sum / static_cast<double>(p.rows()) / std::log(static_cast<double>(p.cols()));
}

/// f(b, rows of the queries of sequence b, rows of its keys) for each sequence.
template <class T, class F>
void for_each_sequence(const RetrievalBatch<T>& batch, F&& f) {
  const Eigen::Index queries = batch.x_q.rows() / batch.sequences;
  const Eigen::Index keys = batch.x_k.rows() / batch.sequences;
  for (Eigen::Index b = 0; b < batch.sequences; ++b) {
    f(Eigen::seqN(b * queries, queries), Eigen::seqN(b * keys, keys));
  }
}

}  // namespace

template <class T>
Updater<T>::Updater(const Update& update, std::size_t size) : update_(update) {
  if (update.optimiser == Optimiser::sgd) return;
  mean_.assign(size, T(0));
  square_.assign(size, T(0));
}

template <class T>
void Updater<T>::step(std::span<T> w, std::span<const T> g) {
  using Values = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
  using ConstValues = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
  const auto size = static_cast<Eigen::Index>(w.size());
  Values values(w.data(), size);
  const ConstValues gradient(g.data(), size);
  if (update_.optimiser == Optimiser::sgd) {
    values -= static_cast<T>(update_.rate) * gradient;
    return;
  }
  constexpr double beta1 = 0.9;
  constexpr double beta2 = 0.999;
  power1_ *= beta1;
  power2_ *= beta2;
  Values mean(mean_.data(), size);
  Values square(square_.data(), size);
  mean = static_cast<T>(beta1) * mean + static_cast<T>(1 - beta1) * gradient;
  square = static_cast<T>(beta2) * square + static_cast<T>(1 - beta2) * gradient.square();
  const T rate = static_cast<T>(update_.rate / (1 - power1_));
  const T root = static_cast<T>(1 / std::sqrt(1 - power2_));
  values -= rate * mean / (root * square.sqrt() + static_cast<T>(update_.epsilon));
}

template <class T>
Head<T>::Head(const HeadSetup& setup, std::int64_t n_in, Stream& stream,
              HeadOperations<T> operations)
    : operations_(std::move(operations)),
      w_q_(weights<T>(stream, n_in, setup.d_k, setup.gain)),
      w_k_(weights<T>(stream, n_in, setup.d_k, setup.gain)),
      query_(setup.query, static_cast<std::size_t>(w_q_.size())),
      key_(setup.key, static_cast<std::size_t>(w_k_.size())),
      scale_(setup.scale, 1) {
  w_q_ *= static_cast<T>(setup.query_factor);
  if (setup.has_scale) log_alpha_.push_back(static_cast<T>(std::log(setup.alpha)));
}

template <class T>
double Head<T>::alpha() const {
  return log_alpha_.empty() ? 1 : std::exp(static_cast<double>(log_alpha_.front()));
}

template <class T>
std::vector<T> Head<T>::alphas() const {
  std::vector<T> result;
  if (!log_alpha_.empty()) result.push_back(static_cast<T>(alpha()));
  return result;
}

template <class T>
void Head<T>::forward(const RetrievalBatch<T>& batch) {
  at_.q.noalias() = batch.x_q * w_q_;
  at_.k.noalias() = batch.x_k * w_k_;
  at_.s.resize(batch.x_q.rows(), batch.x_k.rows() / batch.sequences);
  at_.p.resizeLike(at_.s);
  std::vector<T> alpha = alphas();
  if (operations_.norm) {
    at_.normed_q.resizeLike(at_.q);
    at_.normed_k.resizeLike(at_.k);
    operations_.norm(at_.q, at_.normed_q);
    operations_.norm(at_.k, at_.normed_k);
    operations_.scores(at_.normed_q, at_.normed_k, alpha, at_.s);
  } else {
    operations_.scores(at_.q, at_.k, alpha, at_.s);
  }
  operations_.softmax(at_.s, at_.p);
  at_.error.resize(batch.x_q.rows(), batch.v.cols());
  for_each_sequence(batch, [&](auto queries, auto keys) {
    at_.error(queries, Eigen::all).noalias() =
        at_.p(queries, Eigen::all) * batch.v(keys, Eigen::all);
  });
  at_.error -= batch.v(batch.answers, Eigen::all);
}

template <class T>
void Head<T>::backward_to_scores(const RetrievalBatch<T>& batch) {
  // The mean of (out − v_j)² over all entries has the gradient 2 (out − v_j)/count; out = p V.
  const T factor = T(2) / static_cast<T>(at_.error.size());
  d_.p.resizeLike(at_.p);
  for_each_sequence(batch, [&](auto queries, auto keys) {
    d_.p(queries, Eigen::all).noalias() =
        factor * at_.error(queries, Eigen::all) * batch.v(keys, Eigen::all).transpose();
  });
  d_.s.resizeLike(at_.s);
  operations_.softmax_backward(at_.s, d_.p, d_.s);
}

template <class T>
void Head<T>::step(const RetrievalBatch<T>& batch) {
  forward(batch);
  backward_to_scores(batch);
  d_.q.resizeLike(at_.q);
  d_.k.resizeLike(at_.k);
  std::vector<T> alpha = alphas();
  std::vector<T> dalpha(alpha.size());
  if (operations_.norm) {
    operations_.scores_backward(at_.normed_q, at_.normed_k, alpha, d_.s, d_.q, d_.k, dalpha);
    d_.normed = d_.q;
    operations_.norm_backward(at_.q, d_.normed, d_.q);
    d_.normed = d_.k;
    operations_.norm_backward(at_.k, d_.normed, d_.k);
  } else {
    operations_.scores_backward(at_.q, at_.k, alpha, d_.s, d_.q, d_.k, dalpha);
  }
  d_.w.noalias() = batch.x_q.transpose() * d_.q;
  query_.step(scalars(w_q_), scalars(d_.w));
  d_.w.noalias() = batch.x_k.transpose() * d_.k;
  key_.step(scalars(w_k_), scalars(d_.w));
  if (!alpha.empty()) {
    // α = e^a: dL/da = α dL/dα.
    const std::vector<T> da{alpha.front() * dalpha.front()};
    scale_.step(log_alpha_, da);
  }
}

template <class T>
HeadMeasures Head<T>::measure(const RetrievalBatch<T>& batch) {
  forward(batch);
  const Eigen::ArrayXXd error = at_.error.template cast<double>().array();
  return {.loss = error.square().mean(),
          .var_q = variance(at_.q),
          .var_k = variance(at_.k),
          .var_s = variance(at_.s),
          .entropy = relative_entropy(at_.p)};
}

template class Updater<double>;
template class Updater<float>;
template class Head<double>;
template class Head<float>;

}  // namespace rootdk
