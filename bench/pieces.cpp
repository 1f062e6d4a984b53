// The pieces that a run is made of, each by itself.

#include "works.hpp"

#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/ops/norm.hpp>
#include <rootdk/lib/ops/softmax.hpp>
#include <rootdk/lib/product.hpp>
#include <rootdk/lib/random/draws.hpp>
#include <rootdk/stats/chi_squared.hpp>
#include <rootdk/stats/plan.hpp>

#include <benchmark/benchmark.h>

#include <vector>

namespace rootdk {
namespace {

void words(benchmark::State& state) {
  Stream stream(1);
  for (auto _ : state) benchmark::DoNotOptimize(stream());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(words);

template <class T>
std::vector<T> normal(std::size_t count, std::uint64_t seed = 1) {
  std::vector<T> values(count);
  Stream stream(seed);
  fill_normal<T>(stream, values);
  return values;
}

template <class T, void (*fill)(Stream&, std::span<T>, double)>
void draws(benchmark::State& state) {
  std::vector<T> values(1U << 14U);
  Stream stream(1);
  for (auto _ : state) {
    fill(stream, values, 1.0);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}
template <class T>
void standard_normal(Stream& stream, std::span<T> out, double sd) {
  fill_normal<T>(stream, out, 0, sd);
}
BENCHMARK(draws<double, standard_normal<double>>)->Name("normal<double>");
BENCHMARK(draws<float, standard_normal<float>>)->Name("normal<float>");
BENCHMARK(draws<double, fill_uniform<double>>)->Name("uniform<double>");
BENCHMARK(draws<float, fill_truncated_normal<float>>)->Name("truncated_normal<float>");

template <class T>
Matrix<T> matrix(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  Matrix<T> m(rows, cols);
  Stream stream(seed);
  fill_normal<T>(stream, {m.data(), static_cast<std::size_t>(m.size())});
  return m;
}

template <class T>
void product_of(benchmark::State& state) {
  const Eigen::Index n = state.range(0);
  const Matrix<T> a = matrix<T>(n, n, 1);
  Matrix<T> c(n, n);
  for (auto _ : state) {
    product<T, Transposed::right>(a, a, c);
    benchmark::DoNotOptimize(c.data());
  }
  state.counters["flop/s"] = benchmark::Counter(
      2.0 * static_cast<double>(n * n * n) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}
BENCHMARK(product_of<double>)->Name("product<double>")->RangeMultiplier(4)->Range(16, 1024);
BENCHMARK(product_of<float>)->Name("product<float>")->RangeMultiplier(4)->Range(16, 1024);

template <class T>
void softmax_forward(benchmark::State& state) {
  const Eigen::Index n = state.range(0);
  const Matrix<T> z = matrix<T>(n, n, 1);
  Matrix<T> p(n, n);
  for (auto _ : state) {
    softmax<T>(z, p);
    benchmark::DoNotOptimize(p.data());
  }
  state.SetItemsProcessed(state.iterations() * n * n);
}
BENCHMARK(softmax_forward<double>)->Name("softmax<double>")->Arg(16)->Arg(256);
BENCHMARK(softmax_forward<float>)->Name("softmax<float>")->Arg(16)->Arg(256);

template <class T>
void softmax_gradient(benchmark::State& state) {
  const Eigen::Index n = state.range(0);
  Matrix<T> p(n, n);
  softmax<T>(matrix<T>(n, n, 1), p);
  const Matrix<T> dp = matrix<T>(n, n, 2);
  Matrix<T> dz(n, n);
  for (auto _ : state) {
    softmax_backward<T>(p, dp, dz);
    benchmark::DoNotOptimize(dz.data());
  }
  state.SetItemsProcessed(state.iterations() * n * n);
}
BENCHMARK(softmax_gradient<double>)->Name("softmax_backward<double>")->Arg(256);
BENCHMARK(softmax_gradient<float>)->Name("softmax_backward<float>")->Arg(256);

template <class T>
void rms_norm_forward(benchmark::State& state) {
  const Matrix<T> x = matrix<T>(256, 512, 1);
  const Vector<T> gamma = Vector<T>::Ones(512);
  Matrix<T> y(256, 512);
  for (auto _ : state) {
    rms_norm<T>(x, gamma, 1e-5, y);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * x.size());
}
BENCHMARK(rms_norm_forward<double>)->Name("rms_norm<double>");
BENCHMARK(rms_norm_forward<float>)->Name("rms_norm<float>");

template <class T>
void attention_head(benchmark::State& state) {
  const Eigen::Index n = state.range(0);
  const Eigen::Index d = 64;
  const HeadSettings head{.scheme = "sqrt_dk", .context = {.d_k = d, .d_model = d}, .mask = {}};
  const Matrix<T> q = matrix<T>(n, d, 1);
  const Matrix<T> k = matrix<T>(n, d, 2);
  const Matrix<T> v = matrix<T>(n, d, 3);
  Matrix<T> p(n, n);
  Matrix<T> o(n, d);
  for (auto _ : state) {
    attention<T>(head, q, k, v, {}, p, o);
    benchmark::DoNotOptimize(o.data());
  }
}
BENCHMARK(attention_head<double>)->Name("attention<double>")->Arg(16)->Arg(256);
BENCHMARK(attention_head<float>)->Name("attention<float>")->Arg(16)->Arg(256);

void whitening(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<double> s = normal<double>(n * n);
  const std::vector<double> q = normal<double>(n * 64, 2);
  const auto rows = static_cast<std::int64_t>(n);
  for (auto _ : state) benchmark::DoNotOptimize(stats::whitened_scores({s, rows, rows}, q, 1).x());
}
BENCHMARK(whitening)->Name("whitened_scores")->Arg(16)->Arg(32)->Arg(40);

void planning(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        stats::make_plan(stats::scale(), {.alpha = 1e-9, .beta = 1e-6, .delta = 0.01}, 0));
  }
}
BENCHMARK(planning)->Name("make_plan");

void judging(benchmark::State& state) {
  const stats::Budget budget{.alpha = 1e-9, .beta = 1e-6, .delta = 0.01};
  const stats::Evidence evidence{.nu = 1e6, .x = 1e6, .values = {}};
  for (auto _ : state) benchmark::DoNotOptimize(stats::test(stats::scale(), evidence, budget));
}
BENCHMARK(judging)->Name("test");

}  // namespace
}  // namespace rootdk

BENCHMARK_MAIN();
