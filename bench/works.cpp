#include "works.hpp"

#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/product.hpp>
#include <rootdk/lib/random/draws.hpp>
#include <rootdk/lib/scalars/dual.hpp>
#include <rootdk/properties/gradient/checkers.hpp>
#include <rootdk/properties/gradient/draw.hpp>
#include <rootdk/properties/gradient/tensors.hpp>
#include <rootdk/properties/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace rootdk::bench {
namespace {

// ---- deciding Var(QKᵀ) = d_k ----

// Error rates of the whole decision, and the smallest error of the variance that it must see.
constexpr double kAlpha = 1e-9;
constexpr double kBeta = 1e-6;
constexpr double kDelta = 0.01;

/// The variance of scores is a product: that of the scores given the queries, and that of the
/// queries. Each has an exact law. Few queries and many keys cost least; further queries count by
/// their length alone, so many that both tests have the same evidence.
void sample(Block& block) {
  const std::int64_t d = block.integer("d_k");
  const std::int64_t n = block.integer("n");
  const std::int64_t m = block.integer("m");
  const Tensor q = block.normal("Q", n, d);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "none"}, {q, block.normal("K", m, d)}, {s});
  block.chi_squared("given the queries",
                    stats::whitened_scores({block.values(s), n, m}, block.values(q), 1));
  const Tensor more = block.normal("more queries", std::max<std::int64_t>(0, n * m / d - n), d);
  block.chi_squared("of the queries",
                    stats::sum_of_squares(stats::Independent{block.values(q)}, 1) +
                        stats::sum_of_squares(stats::Independent{block.values(more)}, 1));
}

const std::vector<std::string_view> kChecks{"given the queries", "of the queries"};

const Claim& variance() {
  static const Claim claim{.id = "variance",
                           .statement = "Var(q·k) = d_k",
                           .latex = {},
                           .source = {},
                           .method = {},
                           .domain = {},
                           .needs = {{"scores"}},
                           .checks = {{.name = kChecks[0], .law = stats::scale()},
                                      {.name = kChecks[1], .law = stats::scale()}},
                           .sample = sample};
  return claim;
}

/// The claim in one configuration: each test at α/2, with effects whose product is 1 + δ, so that
/// whatever makes the variance wrong by δ makes one of the factors wrong by its own.
PlannedClaim decision(std::int64_t n, std::int64_t m, std::int64_t d, double delta) {
  PlannedClaim planned{.claim = &variance(), .configurations = {}, .checks = {}};
  for (const Check& check : variance().checks) {
    planned.checks.push_back({.check = &check,
                              .statistical = true,
                              .alpha = kAlpha / 2,
                              .delta = std::expm1(std::log1p(delta) / 2)});
  }
  planned.configurations.push_back(Configuration{});
  Configuration& at = planned.configurations.back();
  at.set("d_k", d);
  at.set("n", n);
  at.set("m", m);
  return planned;
}

/// Degrees of freedom used, both tests.
///
/// @throws std::logic_error unless every check is verified: then there is nothing to time
double decide(const PlannedClaim& planned, std::uint64_t seed) {
  RunSettings settings;
  settings.seed = seed;
  settings.beta = kBeta;
  static const Subject subject = library();
  const std::atomic<bool> stop{false};
  double samples = 0;
  for (const auto& record :
       evaluate(planned, planned.configurations.front(), subject, settings, stop)) {
    if (record.verdict != stats::Verdict::verified) {
      throw std::logic_error(fmt::format("{} at seed {}: not verified", record.check, seed));
    }
    samples += record.nu_used;
  }
  return samples;
}

constexpr std::int64_t kQueries = 56;  // less than the width, so that QQᵀ is well conditioned
constexpr std::int64_t kKeys = 192;
constexpr std::int64_t kWidth = 64;

std::function<double()> verify_variance() {
  // Another seed each time: when the looks end is a matter of chance.
  return [planned = decision(kQueries, kKeys, kWidth, kDelta), seed = std::uint64_t{0}]() mutable {
    return decide(planned, ++seed);
  };
}

// ---- gradients ----

GradientCase attention_case(std::int64_t n, std::int64_t d) {
  const auto operation = std::ranges::find(operations(), "attention", &Operation::name);
  const auto scheme = std::ranges::find(all_schemes(), "sqrt_dk", &SchemeFacts::name);
  Configuration c;
  for (const auto& [field, value] : std::initializer_list<std::pair<const char*, std::int64_t>>{
           {"batch", 1},
           {"heads", 1},
           {"n", n},
           {"m", n},
           {"d", d},
           {"d_v", d},
           {"layer", 0},
           {"causal", 0},
           {"padding", 0},
           {"small_cotangent", 0},
           {"power", 0},
           {"scheme", scheme - all_schemes().begin()}}) {
    c.set(field, value);
  }
  c.set("epsilon", std::string("1e-05"));
  c.set("data", std::string("gaussian"));
  c.set("dtype", std::string("f64"));
  return draw_gradient_case(*operation, c,
                            [](std::string_view role) { return Stream({.role = hash(role)}); });
}

std::function<double()> gradcheck_50_digits() {
  return [at = attention_case(32, 64)] {
    if (!accepted_at_50_digits(oracle(), at)) throw std::logic_error("gradcheck: refused");
    return 1.0;
  };
}

/// ⟨J u, w⟩ by dual numbers in double against ⟨u, Jᵀ w⟩ by the backward pass in double.
bool dot_identity(const GradientCase& at) {
  const std::vector<Shape> in_shapes = input_shapes(at);
  const auto tangent_in = filled<Dual<double>>(
      Dtype::d64, in_shapes,
      [&](std::size_t k, std::size_t i) { return Dual<double>(at.inputs[k][i], at.u[k][i]); });
  const Owned tangent = zeros(Dtype::d64, at.instance.outputs);
  oracle().call("attention", Pass::forward, at.attributes(), borrowed(tangent_in),
                borrowed(tangent));
  const auto in =
      filled<double>(Dtype::f64, in_shapes, [&](auto k, auto i) { return at.inputs[k][i]; });
  const auto w = filled<double>(Dtype::f64, at.instance.outputs,
                                [&](auto k, auto i) { return at.cotangents[k][i]; });
  const Owned gradient = zeros(Dtype::f64, in_shapes);
  oracle().call("attention", Pass::backward, at.attributes(), borrowed(in, w), borrowed(gradient));
  double forwards = 0;
  double backwards = 0;
  double terms = 0;
  for (std::size_t k = 0; k < at.cotangents.size(); ++k) {
    const auto* slopes = static_cast<const Dual<double>*>(tangent[k].tensor.data);
    for (std::size_t i = 0; i < at.cotangents[k].size(); ++i) {
      forwards += at.cotangents[k][i] * slopes[i].slope;
    }
  }
  for (std::size_t k = 0; k < at.inputs.size(); ++k) {
    const auto* g = static_cast<const double*>(gradient[k].tensor.data);
    for (std::size_t i = 0; i < at.inputs[k].size(); ++i) {
      backwards += g[i] * at.u[k][i];
      terms += std::abs(g[i] * at.u[k][i]);
    }
  }
  // 2⁻³⁶: three chained sums of some hundred terms, each of some hundred roundoffs of its terms.
  return std::abs(forwards - backwards) <= 0x1p-36 * terms;
}

std::function<double()> gradcheck_double() {
  return [at = attention_case(32, 64)] {
    if (!dot_identity(at)) throw std::logic_error("gradcheck in double: refused");
    return 1.0;
  };
}

/// Attention forward and backward, the probabilities kept in between; the inputs are sines, so that
/// a peer has the same.
template <class T>
std::function<double()> attention_pass() {
  constexpr Eigen::Index heads = 8;
  constexpr Eigen::Index n = 256;
  constexpr Eigen::Index d = 64;
  const auto in = std::make_shared<std::array<Matrix<T>, 4>>();   // Q, K, V, dO
  const auto out = std::make_shared<std::array<Matrix<T>, 4>>();  // dQ, dK, dV, O
  const auto p = std::make_shared<Matrix<T>>(heads * n, n);
  for (std::size_t k = 0; k < in->size(); ++k) {
    (*out)[k].resize(heads * n, d);
    (*in)[k].resize(heads * n, d);
    for (Eigen::Index i = 0; i < (*in)[k].size(); ++i) {
      (*in)[k].data()[i] =
          static_cast<T>(std::sin(static_cast<double>(static_cast<Eigen::Index>(k + 1) * i)));
    }
  }
  const HeadSettings head{.scheme = "sqrt_dk", .context = {.d_k = d, .d_model = heads * d}};
  return [=] {
    const auto each = [&](auto&& f) {
      for (Eigen::Index h = 0; h < heads; ++h) {
        f([&](Matrix<T>& all) { return all.middleRows(h * n, n); });
      }
    };
    each([&](auto&& of) {
      attention<T>(head, of((*in)[0]), of((*in)[1]), of((*in)[2]), {}, of(*p), of((*out)[3]));
    });
    each([&](auto&& of) {
      attention_backward<T>(head, of((*in)[0]), of((*in)[1]), of((*in)[2]), {}, of(*p),
                            of((*in)[3]), of((*out)[0]), of((*out)[1]), of((*out)[2]), {});
    });
    double sum = 0;
    for (const Matrix<T>& t : *out) {
      for (Eigen::Index i = 0; i < t.size(); i += 97) {
        sum += std::abs(static_cast<double>(t.data()[i]));
      }
    }
    return sum;
  };
}

// ---- draws ----

std::function<double()> normals() {
  const auto values = std::make_shared<std::vector<double>>(std::size_t{1} << 22U);
  return [values, seed = std::uint64_t{0}]() mutable {
    Stream stream(++seed);
    fill_normal<double>(stream, *values);
    return values->back();
  };
}

std::function<double()> init_draw() {
  const auto w = std::make_shared<Matrix<float>>(4096, 4096);
  return [w, seed = std::uint64_t{0}]() mutable {
    Stream stream(++seed);
    initialise<float>(initialiser("lecun_truncated"), {.fan_in = 4096, .fan_out = 4096}, stream,
                      *w);
    return static_cast<double>((*w)(0, 0));
  };
}

// ---- the machine ----

constexpr double kOrder = 768;  // of the measured product: three matrices of 4.7 MB

std::function<double()> product_rate() {
  const auto n = static_cast<Eigen::Index>(kOrder);
  const auto a = std::make_shared<Matrix<double>>(Matrix<double>::Ones(n, n));
  const auto c = std::make_shared<Matrix<double>>(n, n);
  return [=] {
    product<double>(*a, *a, *c);
    return 2 * kOrder * kOrder * kOrder;
  };
}

constexpr std::int64_t kSamplerBlocks = 16;

std::function<double()> sampler() {
  return [workspace = std::make_shared<Workspace>()] {
    const PlannedClaim planned = decision(kQueries, kKeys, kWidth, kDelta);
    static const Subject subject = library();
    std::vector<CheckEvidence> evidence(kChecks.size());
    for (std::uint64_t number = 0; number < kSamplerBlocks; ++number) {
      Block block(planned.configurations.front(), subject, {.seed = 1, .block = number}, Dtype::f64,
                  kChecks, *workspace, evidence, false);
      planned.claim->sample(block);
    }
    return sampler_flops();
  };
}

double seconds_of(const std::function<void()>& work) {
  // The least of a few: what disturbs only adds.
  double least = 1e300;
  for (int i = 0; i < 5; ++i) {
    const double start = processor_seconds();
    work();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

/// Time of a run of `claims` copies of one claim on `configurations` of its configurations.
double run_seconds(std::size_t claims, std::size_t configurations) {
  std::vector<Claim> copies(claims, claim("scores.mean"));
  for (std::size_t i = 0; i < claims; ++i) copies[i].id += fmt::format(".{}", i);
  std::vector<const Claim*> all;
  for (const Claim& copy : copies) all.push_back(&copy);
  const Effort effort{"quick", configurations, 0.2, 0.2, {.claims = 512, .configurations = 128}};
  RunSettings settings;
  settings.effort = &effort;
  settings.jobs = 1;
  const Subject subject = library();
  const std::atomic<bool> stop{false};
  return seconds_of([&] {
    // The work is done on a thread of its own, whose time is the process's.
    run(
        all, subject, settings, [](const Progress&) {}, stop);
  });
}

}  // namespace

double sampler_flops() {
  const auto n = static_cast<double>(kQueries);
  const auto m = static_cast<double>(kKeys);
  const auto d = static_cast<double>(kWidth);
  // QKᵀ by the subject; QQᵀ (half), its Cholesky factor and the solution by the test.
  return kSamplerBlocks * (2 * n * m * d + n * n * d + n * n * n / 3 + n * n * m);
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const std::vector<Work>& works() {
  static const std::vector<Work> all{
      {"verify_variance", verify_variance},
      {"gradcheck", gradcheck_50_digits},
      {"gradcheck_double", gradcheck_double},
      {"attention_f64", attention_pass<double>},
      {"attention_f32", attention_pass<float>},
      {"normals", normals},
      {"init_draw", init_draw},
      {"product_rate", product_rate},
      {"sampler", sampler},
  };
  return all;
}

std::vector<Growth> growth() {
  std::vector<Growth> result{
      {"samples against δ", "δ", "samples", -2, {}, {}},
      {"time against claims", "claims", "CPU s", 1, {}, {}},
      {"time against configurations", "configurations", "CPU s", 1, {}, {}},
      {"time against d_k", "d_k", "CPU s", 1, {}, {}},
  };
  const auto add = [](Growth& g, double x, double y) {
    g.x.push_back(x);
    g.y.push_back(y);
  };
  for (const double delta : {0.16, 0.08, 0.04, 0.02, 0.01, 0.005}) {
    const stats::Budget budget{.alpha = kAlpha, .beta = kBeta, .delta = delta, .bias = 0};
    add(result[0], delta, stats::samples(stats::scale(), budget));
  }
  for (const std::size_t claims : {8UL, 16UL, 32UL, 64UL, 128UL}) {
    add(result[1], static_cast<double>(claims), run_seconds(claims, 20));
  }
  for (const std::size_t configurations : {6UL, 12UL, 25UL, 50UL, 100UL}) {
    add(result[2], static_cast<double>(configurations), run_seconds(20, configurations));
  }
  for (const std::int64_t d : {32, 64, 128, 256, 512, 1024}) {
    // Blocks of as much evidence on the scores, whatever the width.
    const PlannedClaim planned = decision(32, 32, d, kDelta);
    const Subject subject = library();
    Workspace workspace;
    add(result[3], static_cast<double>(d), seconds_of([&] {
          std::vector<CheckEvidence> evidence(kChecks.size());
          for (std::uint64_t number = 0; number < 256; ++number) {
            Block block(planned.configurations.front(), subject, {.seed = 1, .block = number},
                        Dtype::f64, kChecks, workspace, evidence, false);
            planned.claim->sample(block);
          }
        }));
  }
  return result;
}

}  // namespace rootdk::bench
