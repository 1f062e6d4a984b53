#include <rootdk/properties/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>

namespace rootdk {
namespace {

// quick: seconds, for every save. standard: a minute, the gate. deep: a night. The slots of deep
// hold its thousand configurations; α is the same for all.
constexpr std::array kEfforts{
    Effort{"quick", 20, 0.20, 0.05, {.claims = 512, .configurations = 128}},
    Effort{"standard", 100, 0.05, 0.01, {.claims = 512, .configurations = 128}},
    Effort{"deep", 1000, 0.01, 0.003, {.claims = 512, .configurations = 1024}},
};

stats::Law law_of(const Check& check, const Configuration& configuration) {
  return check.law_at ? check.law_at(configuration) : check.law;
}

bool is_statistical(const Check& check) { return check.law.kind != stats::LawKind::bound; }

/// What once failed, then what this seed draws.
std::vector<Configuration> configurations_of(const Claim& claim, const RunSettings& settings) {
  std::vector<Configuration> result;
  for (const std::string& text : claim.regressions) result.push_back(claim.domain.parse(text));
  for (Configuration& drawn : draw_configurations(claim.domain, settings.effort->configurations,
                                                  hash(claim.id) ^ settings.seed)) {
    if (std::ranges::find(result, drawn) == result.end()) result.push_back(std::move(drawn));
  }
  return result;
}

PlannedClaim plan_claim(const Claim& claim, const RunSettings& settings,
                        const stats::Ledger& ledger) {
  for (const std::string& id : claim.defects) {
    try {
      defect(id);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("claim {}: {}", claim.id, error.what()));
    }
  }
  PlannedClaim planned{.claim = &claim, .configurations = {}, .checks = {}};
  planned.configurations = configurations_of(claim, settings);
  const auto tests = static_cast<std::size_t>(std::ranges::count_if(claim.checks, is_statistical));
  const auto pooled = claim.slopes.size() +
                      static_cast<std::size_t>(std::ranges::count_if(
                          claim.checks, [](const Check& c) { return stats::poolable(c.law); }));
  for (const Check& check : claim.checks) {
    PlannedCheck plan{.check = &check, .statistical = is_statistical(check)};
    if (plan.statistical) {
      plan.alpha = ledger.configuration_share(tests);
      plan.delta = settings.effort->delta * check.delta_factor;
    }
    if (stats::poolable(check.law)) {
      plan.alpha_pooled = ledger.pooled_share(pooled);
      // A variance of all configurations together is seen to the effort's δ whatever one alone shows.
      plan.delta_pooled = settings.effort->delta_pooled *
                          (check.law.kind == stats::LawKind::scale ? 1 : check.delta_factor);
      const double nu =
          stats::samples(pooled_law(check, planned.configurations), {.alpha = plan.alpha_pooled,
                                                                     .beta = settings.beta,
                                                                     .delta = plan.delta_pooled,
                                                                     .bias = check.bias});
      plan.nu_first = std::ceil(nu / static_cast<double>(planned.configurations.size()));
    }
    planned.checks.push_back(plan);
  }
  if (!claim.slopes.empty()) planned.alpha_slope = ledger.pooled_share(pooled);
  return planned;
}

}  // namespace

std::span<const Effort> efforts() { return kEfforts; }

const Effort& effort_named(std::string_view name) {
  const auto found = std::ranges::find(kEfforts, name, &Effort::name);
  if (found == kEfforts.end()) {
    throw std::invalid_argument(fmt::format("effort: '{}' is none of quick, standard, deep", name));
  }
  return *found;
}

std::vector<PlannedClaim> plan(const std::vector<const Claim*>& claims, const RunSettings& settings,
                               stats::Ledger& ledger) {
  std::vector<PlannedClaim> result;
  for (const Claim* claim : claims) {
    PlannedClaim planned = plan_claim(*claim, settings, ledger);
    std::size_t tests = 0;
    std::size_t pooled = claim->slopes.size();
    for (const PlannedCheck& check : planned.checks) {
      tests += check.statistical ? 1 : 0;
      pooled += check.alpha_pooled > 0 ? 1 : 0;
    }
    ledger.book(planned.configurations.size(), tests, pooled);
    result.push_back(std::move(planned));
  }
  return result;
}

stats::Law pooled_law(const Check& check, std::span<const Configuration> configurations) {
  stats::Law law = check.law;
  if (!check.law_at) return law;
  for (const Configuration& at : configurations) {
    const stats::Law here = check.law_at(at);
    law.skewness = std::max(law.skewness, std::abs(here.skewness));
    law.excess = std::max(law.excess, std::abs(here.excess));
  }
  return law;
}

const stats::Plan& look_plan(const PlannedClaim& claim, std::size_t check,
                             const Configuration& configuration, const RunSettings& settings) {
  const PlannedCheck& planned = claim.checks[check];
  const stats::Law law = law_of(*planned.check, configuration);
  const stats::Budget budget{.alpha = planned.alpha,
                             .beta = settings.beta,
                             .delta = planned.delta,
                             .bias = planned.check->bias};
  using PlanKey = std::tuple<stats::LawKind, double, double, double, double, double, double, double,
                             double, double>;
  static std::map<PlanKey, stats::Plan> plans;
  static std::mutex mutex;
  const PlanKey key{law.kind,     law.p0,      law.unit,     law.skewness, law.excess,
                    budget.alpha, budget.beta, budget.delta, budget.bias,  planned.nu_first};
  {
    const std::scoped_lock lock(mutex);
    const auto found = plans.find(key);
    if (found != plans.end()) return found->second;
  }
  // Made outside the lock: two threads may make the same plan, which is then the same plan.
  stats::Plan made = planned.statistical
                         ? stats::make_plan(law, budget, planned.nu_first)
                         : stats::Plan{.law = law, .budget = {}, .looks = {1}, .per_look = {}};
  const std::scoped_lock lock(mutex);
  return plans.emplace(key, std::move(made)).first->second;
}

}  // namespace rootdk
