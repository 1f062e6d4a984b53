#include <rootdk/lib/init/outermost_cell.hpp>
#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/moments.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rootdk::claims::init::law {
namespace {

// Values of one block: some thousand, so that its cost is that of its draws.
constexpr std::int64_t kBlockValues = 2048;

InitSettings settings_at(const Configuration& at) {
  const auto whole = [&](std::string_view field) {
    return at.has(field) ? static_cast<double>(at.integer(field)) : 1.0;
  };
  return {.fan_in = whole("fan_in"),
          .fan_out = whole("fan_out"),
          .gain = at.real("gain"),
          .slope = at.has("slope") ? at.real("slope") : 0,
          .d_k = whole("d_k"),
          .branches = whole("branches")};
}

/// Of (w/σ)^power.
stats::Cumulants power_moments(const Initialiser& rule, int power) {
  return stats::cumulants({entry_moment(rule, power), entry_moment(rule, 2 * power),
                           entry_moment(rule, 3 * power), entry_moment(rule, 4 * power)});
}

void record_power(Block& block, std::string_view check, const Initialiser& rule, int power,
                  std::span<const double> z) {
  const stats::Cumulants m = power_moments(rule, power);
  std::vector<double> values(z.begin(), z.end());
  for (double& v : values) v = ((power == 4 ? v * v * v * v : v * v) - m.mean) / m.sd;
  block.standardised(check, stats::Independent{values});
}

OutermostCell cell_at(const Initialiser& rule, const Configuration& at) {
  return at.text("dtype") == "f32" ? outermost_cell<float>(rule, settings_at(at))
                                   : outermost_cell<double>(rule, settings_at(at));
}

void record(Block& block, const Initialiser& rule, std::span<const double> w) {
  const InitSettings at = settings_at(block.configuration());
  const double sd = std::sqrt(entry_variance(rule, at));
  std::vector<double> z(w.begin(), w.end());
  double largest = 0;
  for (double& value : z) {
    largest = std::max(largest, std::abs(value));
    value /= sd;
  }
  block.standardised("mean", stats::Independent{z});
  block.extreme("extreme", static_cast<double>(w.size()), 2 * entry_cdf(rule, at, largest) - 1);
  if (rule.law == EntryLaw::normal) {
    block.chi_squared("variance", stats::sum_of_squares(stats::Independent{w}, sd));
  } else {
    record_power(block, "variance", rule, 2, z);
    record_power(block, "kurtosis", rule, 4, z);
    block.holds("support", largest < entry_bound(rule, at), "largest |w| against the bound");
    const double start = cell_at(rule, block.configuration()).start;
    const auto outer = std::ranges::count_if(w, [&](double v) { return std::abs(v) >= start; });
    block.count("edge", static_cast<double>(w.size()), static_cast<double>(outer));
  }
  // The distribution needs half as many values as the variance.
  z.resize((w.size() + 1) / 2);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = entry_cdf(rule, at, w[i]);
  block.uniforms("distribution", stats::Independent{z});
}

void sample(Block& block, const Initialiser& rule) {
  const std::int64_t rows = block.integer("fan_in");
  const std::int64_t cols = block.integer("fan_out");
  const InitSettings at = settings_at(block.configuration());
  const std::int64_t draws = (kBlockValues + rows * cols - 1) / (rows * cols);
  Stream seeds = block.stream("W");
  const Tensor w = block.tensor({1, draws, rows, cols});
  for (std::int64_t i = 0; i < draws; ++i) {
    block.forward("init",
                  {.initialiser = rule.name,
                   .slope = at.slope,
                   .gain = at.gain,
                   .d_k = at.d_k,
                   .branches = at.branches,
                   .seed = seeds()},
                  {}, {matrix(w, 0, i)});
  }
  record(block, rule, block.values(w));
}

std::vector<Check> checks_of(const Initialiser& rule) {
  const auto variance = [&rule](const Configuration& at) {
    return entry_variance(rule, settings_at(at));
  };
  const auto sd = [variance](const Configuration& at) { return std::sqrt(variance(at)); };
  std::vector<Check> checks{
      {.name = "mean", .law = stats::location(), .expected = constant(0), .unit = sd},
      // A single rounding of each entry to float changes no variance by more than 2^−22.
      {.name = "variance", .law = stats::scale(), .expected = variance, .bias = 0x1p-22},
      {.name = "extreme", .law = stats::extreme()},
      {.name = "distribution", .law = stats::shape()}};
  if (rule.law == EntryLaw::normal) return checks;
  const stats::Cumulants square = power_moments(rule, 2);
  const stats::Cumulants fourth = power_moments(rule, 4);
  checks[0].law = stats::moment(0, entry_moment(rule, 4) - 3);
  checks[1] = {
      .name = "variance",
      .law = square.law(),
      .expected = variance,
      .unit = [variance, square](const Configuration& at) { return square.sd * variance(at); }};
  checks.push_back({.name = "kurtosis",
                    .law = fourth.law(),
                    .expected = constant(fourth.mean),
                    .unit = constant(fourth.sd)});
  checks.push_back({.name = "support", .law = stats::bound()});
  // An effect of 1 is a fiftieth of all draws: 1e−3 of them at the bound are seen at δ = 5 %.
  constexpr double edge_unit = 0.02;
  checks.push_back({.name = "edge",
                    .law = stats::proportion(0, edge_unit),
                    .law_at = [&rule](const Configuration& at) {
                      return stats::proportion(cell_at(rule, at).probability, edge_unit);
                    }});
  return checks;
}

Domain domain_of(const Initialiser& rule) {
  Domain domain;
  domain.integer("fan_in", 1, 200).integer("fan_out", 1, 200).real("gain", 0.25, 4, 0.0625);
  if (rule.name.starts_with("he_")) domain.real("slope", 0, 1.5, 0.0625);
  if (rule.name == "absorbed_query") domain.integer("d_k", 1, 160);
  if (rule.name == "gpt2_residual") domain.integer("branches", 1, 48);
  return domain.choice("dtype", {"f64", "f32"});
}

/// The faults that this rule can have.
std::vector<std::string> defects_of(const Initialiser& rule) {
  std::vector<std::string> ids{"init.silent_default"};
  const auto add = [&](bool applies, std::string id) {
    if (applies) ids.insert(ids.begin(), std::move(id));
  };
  add(rule.depends_on_fan_in != rule.depends_on_fan_out, "init.fans_swapped");
  add(rule.law == EntryLaw::uniform, "init.uniform_is_normal");
  add(rule.law == EntryLaw::uniform, "init.std_as_half_width");
  add(rule.name.starts_with("he_"), "init.he_is_lecun");
  add(rule.name.starts_with("he_"), "init.linear_default");
  add(rule.law == EntryLaw::truncated_normal, "init.truncated_bf16");
  add(rule.law == EntryLaw::truncated_normal, "init.truncated_absolute_bounds");
  add(rule.law == EntryLaw::truncated_normal, "init.truncated_clipped");
  add(rule.law == EntryLaw::truncated_normal, "init.truncated_uncorrected");
  if (rule.name == "pytorch_linear") std::erase(ids, "init.silent_default");
  return ids;
}

}  // namespace

Claims claim() {
  std::vector<Claim> members;
  for (const Initialiser& rule : initialisers()) {
    // Entries of an orthogonal matrix depend on each other: init.orthogonal states their law.
    if (rule.law == EntryLaw::orthogonal) continue;
    const std::string name(rule.name);
    members.push_back(
        {.member = name,
         .statement = "Entries of " + name +
                      " are independent draws of mean 0 and exactly its variance, with the shape, "
                      "the support and the largest value of its law, in double and in float",
         .latex = R"(\operatorname{Var}(w) = g^2\,)" + std::string(rule.formula),
         .source = "section “The solution of initialisation”",
         .derivation =
             "A rule fixes the variance through the fans; the law of an entry is then a scaled "
             "standard law, so that w/σ, (w/σ)², F(w) and max |w| all have known distributions. "
             "Matching the variance alone is not enough: a normal law in place of a uniform one "
             "has "
             "kurtosis 3 for 1.8, and clipping in place of drawing again leaves mass on the bound.",
         .method = rule.law == EntryLaw::normal
                       ? "L: Σw²/σ² ~ χ²(n), max ~ Beta(n, 1); D: Dvoretzky–Kiefer–Wolfowitz"
                       : "M: w, w², w⁴ with their exact cumulants; L: Bin(n, cell), max ~ Beta(n, "
                         "1); D: Dvoretzky–Kiefer–Wolfowitz; I: support",
         .domain = domain_of(rule),
         .needs = {{"init"}},
         .checks = checks_of(rule),
         .sample = [&rule](Block& block) { sample(block, rule); },
         .defects = defects_of(rule)});
  }
  return members;
}

}  // namespace rootdk::claims::init::law
