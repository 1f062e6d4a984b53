#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/parallel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace rootdk::cli {
namespace {

struct Prediction {
  double samples = 0;  ///< expected when the claim holds
  double seconds = 0;  ///< of one core
};

/// Samples come from the plan: under the hypothesis a third of the fixed size is used, but at least
/// the first look. Their cost is that of one small configuration at quick effort, measured now.
Prediction predict(const PlannedClaim& planned, const RunSettings& settings) {
  constexpr double kExpectedPart = 0.33;
  Prediction result;
  for (const Configuration& at : planned.configurations) {
    for (std::size_t k = 0; k < planned.checks.size(); ++k) {
      const stats::Plan& plan = look_plan(planned, k, at, settings);
      result.samples += std::max(plan.nu_first(), kExpectedPart * plan.nu_planned());
    }
  }
  RunSettings quick = settings;
  quick.effort = &effort_named("quick");
  stats::Ledger ledger(quick.alpha, quick.effort->slots);
  const std::vector<PlannedClaim> probe = plan({planned.claim}, quick, ledger);
  const Subject subject = library();
  double seen = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < std::min<std::size_t>(3, probe[0].configurations.size()); ++i) {
    for (const auto& record :
         evaluate(probe[0], probe[0].configurations[i], subject, quick, interrupted)) {
      seen += record.nu_used;
    }
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  if (seen > 0) result.seconds = spent.count() / seen * result.samples;
  return result;
}

}  // namespace

int execute(const PlanCommand& command) {
  const RunOptions& options = command.run;
  const RunSettings settings = settings_of(options);
  const std::vector<const Claim*> chosen = selected(options);
  stats::Ledger ledger(settings.alpha, settings.effort->slots);
  const std::vector<PlannedClaim> planned = plan(chosen, settings, ledger);
  fmt::print("{:<40} {:>7} {:>7} {:>8} {:>12} {:>9}\n", "claim", "config.", "δ", "δ pooled",
             "samples", "core s");
  Prediction total;
  for (const PlannedClaim& claim : planned) {
    const Prediction prediction = predict(claim, settings);
    total.samples += prediction.samples;
    total.seconds += prediction.seconds;
    double delta = 0;
    double pooled = 0;
    for (const PlannedCheck& check : claim.checks) {
      delta = std::max(delta, check.delta);
      pooled = std::max(pooled, check.delta_pooled);
    }
    const auto percent = [](double value) {
      return value > 0 ? fmt::format("{:.3g} %", 100 * value) : std::string("–");
    };
    fmt::print("{:<40} {:>7} {:>7} {:>8} {:>12.3g} {:>9.2g}\n", claim.claim->id,
               claim.configurations.size(), percent(delta), percent(pooled), prediction.samples,
               prediction.seconds);
  }
  const auto threads = static_cast<double>(threads_for(settings.jobs));
  fmt::print(
      "\n{} claims; α {:.3g} = {:.3g} declared + {:.3g} reserved for confirming failures + {:.3g} "
      "in "
      "unused slots ({} claims × {} configurations)\npredicted {:.3g} samples, about {:.1f} s on "
      "{} "
      "threads\n",
      planned.size(), ledger.alpha(), ledger.spent(), ledger.reserved(),
      ledger.alpha() - ledger.spent() - ledger.reserved(), ledger.slots().claims,
      ledger.slots().configurations, total.samples, total.seconds / threads, threads);
  return 0;
}

}  // namespace rootdk::cli
