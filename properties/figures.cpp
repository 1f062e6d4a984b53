#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/figures.hpp>
#include <rootdk/properties/figures/curves.hpp>

#include <algorithm>
#include <exception>
#include <optional>

namespace rootdk {
namespace {

struct Figure {
  /// Shown by the first of these that is registered.
  std::vector<std::string_view> claims;
  std::vector<Need> needs;
  figures_of::Curves (*make)(const Subject&, Dtype, std::uint64_t);
};

const std::vector<Figure>& all_figures() {
  static const std::vector<Figure> figures{
      {{"scores.conditional_law", "scores.scaled_variance"},
       {{"scores"}},
       figures_of::score_density},
      {{"softmax.gradient_at_query", "softmax.two_keys", "softmax.entropy",
        "scores.scaled_variance"},
       {{"scores"}, {"softmax"}, {"scores", Pass::backward}, {"softmax", Pass::backward}},
       figures_of::attention},
      {{"depth.prenorm_backward", "depth.prenorm_forward", "depth.residual_sum"},
       {{"linear"}, {"rms_norm"}, {"linear", Pass::backward}, {"rms_norm", Pass::backward}},
       figures_of::depth}};
  return figures;
}

bool belongs(const Figure& figure, std::string_view id) {
  for (const std::string_view candidate : figure.claims) {
    const bool registered = std::ranges::any_of(
        all_claims(), [&](const Claim& claim) { return claim.id == candidate; });
    if (registered) return candidate == id;
  }
  return false;
}

std::optional<Dtype> common_dtype(const Figure& figure, const Subject& subject) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32}) {
    if (std::ranges::all_of(figure.needs, [&](const Need& need) {
          return subject.has({need.op, need.pass, dtype});
        })) {
      return dtype;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<reports::SeriesRecord> figures(std::string_view claim, const Subject& subject,
                                           std::uint64_t seed) {
  figures_of::Curves result;
  for (const Figure& figure : all_figures()) {
    const auto dtype = belongs(figure, claim) ? common_dtype(figure, subject) : std::nullopt;
    if (!dtype) continue;
    try {
      const figures_of::Curves curves = figure.make(subject, *dtype, seed);
      result.insert(result.end(), curves.begin(), curves.end());
    } catch (const std::exception&) {
      // A kernel that cannot do this shows nothing here; the claims say what is wrong with it.
    }
  }
  return result;
}

}  // namespace rootdk
