#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/mean_field.hpp>
#include <rootdk/stats/log_sum.hpp>

#include <cmath>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace rootdk::claims::init::first_loss {
namespace {

constexpr std::int64_t kRows = 8;

double scale_at(const Configuration& at) { return at.real("s"); }
double vocabulary_at(const Configuration& at) {
  return static_cast<double>(at.integer("vocabulary"));
}

stats::LogSum log_sum(double n, double s) {
  static std::map<std::pair<double, double>, stats::LogSum> kept;
  static std::mutex mutex;
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = kept.find({n, s}); found != kept.end()) return found->second;
  }
  const stats::LogSum made = stats::log_sum_cumulants(n, s);
  const std::scoped_lock lock(mutex);
  return kept.emplace(std::pair{n, s}, made).first->second;
}
stats::LogSum log_sum_at(const Configuration& at) {
  return log_sum(vocabulary_at(at), scale_at(at));
}

/// The loss averaged over its target is ln Σ eᶻ − mean z. It does not change when all logits are
/// shifted and is therefore independent of mean z ~ N(0, s²/V): that variance comes off, the higher
/// cumulants stay.
double sd_at(const Configuration& at) {
  const double s = scale_at(at);
  return std::sqrt(log_sum_at(at).variance - s * s / vocabulary_at(at));
}
stats::Law law_at(const Configuration& at) {
  const double sd = sd_at(at);
  return stats::moment(log_sum_at(at).third / std::pow(sd, 3),
                       log_sum_at(at).fourth / std::pow(sd, 4));
}

/// One row of logits z = h W of the output head, exactly iid N(0, s²): ‖h‖² = s² d.
double loss(Block& block, const Tensor& h, std::uint64_t seed) {
  const auto d = block.integer("d_model");
  const auto n = block.integer("vocabulary");
  const Tensor w = block.matrix(d, n);
  const Tensor z = block.matrix(1, n);
  const Tensor p = block.matrix(1, n);
  block.forward("init_parameter",
                {.d_model = d, .seed = seed, .recipe = "glorot", .role = "head", .vocabulary = n},
                {}, {w});
  block.forward("linear", {}, {h, w}, {z});
  block.forward("softmax", {}, {z}, {p});
  double sum = 0;
  for (const double value : block.values(p)) sum -= std::log(value);
  return sum / static_cast<double>(n);
}

void constants(Block& block) {
  const double n = vocabulary_at(block.configuration());
  const double s = scale_at(block.configuration());
  const double excess = log_sum_at(block.configuration()).mean - std::log(n);
  // d/ds E ln Σ = s (1 − E‖p‖²) by Stein's lemma, and 1/V ≤ ‖p‖² ≤ Σ e^2(z − mean z)/V² by
  // Jensen's inequality: both limits of the statement lie between the two bounds. 1e−11 is the
  // error of the cumulants.
  const double slack = 1e-11;
  block.holds("bounds", excess <= (1 - 1 / n) * s * s / 2 + slack, "≤ (1 − 1/V)s²/2");
  block.holds("bounds", excess >= s * s / 2 - std::expm1(2 * s * s) / (4 * n) - slack,
              "≥ s²/2 − (e^2s² − 1)/(4V)");
  block.digits("bounds", log_sum(256, 1).mean - std::log(256.0), 0.496679, 5e-7, "V 256, s 1");
  // What remains after −(e^{s²} − 1)/(2V) is O(1/V²): from V to 4V it falls 16-fold.
  const auto rest = [](double v) {
    return log_sum(v, 1).mean - std::log(v) - 0.5 + std::expm1(1.0) / (2 * v);
  };
  block.digits("bounds", rest(1024) / rest(4096), 16, 1, "the next order");
}

void sample(Block& block) {
  const auto d = block.integer("d_model");
  const Configuration& at = block.configuration();
  const Tensor h = block.normal("h", 1, d);
  multiply(h, scale_at(at) * std::sqrt(static_cast<double>(d) / squared_norm(block.values(h))));
  Stream seeds = block.stream("W");
  std::vector<double> losses;
  for (std::int64_t i = 0; i < kRows; ++i) {
    losses.push_back((loss(block, h, seeds()) - log_sum_at(at).mean) / sd_at(at));
  }
  block.standardised("loss", stats::Independent{losses});
  if (block.first()) constants(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Logits that are independent N(0, s²) give a first cross entropy of ln V + s²/2 "
          "for large V; for every V it lies between s²/2 − (e^{2s²} − 1)/(4V) and "
          "(1 − 1/V)s²/2 above ln V",
      .latex = R"(\mathbb E\,\mathcal L - \ln V \;\to\; \frac{s^2}{2},\qquad
\text{correction}\approx-\frac{e^{s^2}-1}{2V})",
      .source = "section “Means of numerical stability in the forward pass”: weight initialisation",
      .premise = "targets independent of the logits",
      .derivation =
          "Σ eᶻ ≈ V e^{s²/2} by the law of large numbers, and the target's logit has mean "
          "0. Finite V costs half the relative variance of the sum, (e^{s²} − 1)/V. A head "
          "of variance 1 instead of 1/d has s² = d: the loss then starts at hundreds.",
      .method = "Q: cumulants of ln Σ eᶻ through a Gumbel variable; M: loss of the subject's head",
      .domain = Domain()
                    .real("s", 0.25, 1.5, 0.0625)
                    .integer("vocabulary", 2, 64)
                    .integer("d_model", 2, 8),
      .needs = {{"init_parameter"}, {"linear"}, {"softmax"}},
      // A whole head a value: effects of a quarter of a standard deviation.
      .checks = {{.name = "loss",
                  .law = stats::moment(0, 0),
                  .expected = [](const Configuration& at) { return log_sum_at(at).mean; },
                  .unit = sd_at,
                  .delta_factor = 5,
                  .law_at = law_at},
                 {.name = "bounds", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.head_unscaled"},
  };
}

}  // namespace rootdk::claims::init::first_loss
