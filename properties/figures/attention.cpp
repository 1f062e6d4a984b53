#include <rootdk/properties/figures/curves.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rootdk::figures_of {
namespace {

double entropy(std::span<const double> p) {
  double sum = 0;
  for (const double value : p) sum -= value > 0 ? value * std::log(value) : 0;
  return sum;
}

}  // namespace

Curves attention(const Subject& subject, Dtype dtype, std::uint64_t seed) {
  constexpr std::int64_t queries = 64;
  constexpr std::int64_t keys = 32;
  Curves result;
  for (const std::string_view scheme : {"sqrt_dk", "none"}) {
    const char* curve = scheme == "none" ? "unscaled" : "scaled by 1/√d_k";
    std::array<reports::SeriesRecord, 3> curves;
    constexpr std::array panels{"entropy / ln n", "gradient at the scores",
                                "gradient at the query"};
    for (std::size_t i = 0; i < curves.size(); ++i) {
      curves[i].name = fmt::format("attention | {} | {}", panels[i], curve);
      curves[i].x_label = "d_k";
      curves[i].y_label = i == 0 ? "mean of H / ln n" : "mean length";
    }
    for (const std::int64_t d : {2, 8, 32, 128, 512}) {
      std::array<std::vector<double>, 3> seen;
      on_blocks(fmt::format("figure.attention.{}", d), subject, dtype, seed, 1, [&](Block& block) {
        const Tensor q = block.normal("Q", {queries, 1, 1, d});
        const Tensor k = block.normal("K", {queries, 1, keys, d});
        const Tensor cotangent = block.normal("dP", {queries, 1, 1, keys});
        const auto like = [&](const Tensor& t) { return block.tensor(t.shape); };
        const Tensor s = like(cotangent);
        const Tensor p = like(cotangent);
        const Tensor ds = like(cotangent);
        const Tensor dq = like(q);
        const Tensor dk = like(k);
        block.forward("scores", {.scheme = scheme}, {q, k}, {s});
        block.forward("softmax", {}, {s}, {p});
        block.backward("softmax", {}, {s, cotangent}, {ds});
        block.backward("scores", {.scheme = scheme}, {q, k, ds}, {dq, dk});
        for (std::int64_t i = 0; i < queries; ++i) {
          const auto row = [&](const Tensor& t) { return block.values(matrix(t, i, 0)); };
          seen[0].push_back(entropy(row(p)) / std::log(static_cast<double>(keys)));
          seen[1].push_back(std::sqrt(mean_square(row(ds)) * static_cast<double>(keys)));
          seen[2].push_back(std::sqrt(mean_square(row(dq)) * static_cast<double>(d)));
        }
      });
      for (std::size_t i = 0; i < curves.size(); ++i) {
        append_mean(curves[i], static_cast<double>(d), seen[i]);
      }
    }
    result.insert(result.end(), curves.begin(), curves.end());
  }
  return result;
}

}  // namespace rootdk::figures_of
