#include <rootdk/properties/cli/subcommands.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rootdk::cli {
namespace {

void section(std::string_view title, std::string_view text) {
  if (!text.empty()) fmt::print("{:<12}{}\n", title, text);
}

void print_plan(const PlannedClaim& planned, const RunSettings& settings) {
  fmt::print("{:<12}{} configurations at {} effort\n", "plan", planned.configurations.size(),
             settings.effort->name);
  for (std::size_t k = 0; k < planned.checks.size(); ++k) {
    const PlannedCheck& check = planned.checks[k];
    const stats::Plan& plan = look_plan(planned, k, planned.configurations.front(), settings);
    if (!check.statistical) {
      fmt::print("{:<12}{}: deterministic, error against a computed tolerance\n", "",
                 check.check->name);
      continue;
    }
    fmt::print("{:<12}{}: {} law, δ {:.3g} %, α {:.2g}, β {:.0e}, {} look{} up to ν = {:.0f}\n", "",
               check.check->name, stats::name(plan.law.kind), 100 * check.delta, check.alpha,
               settings.beta, plan.looks.size(), plan.looks.size() == 1 ? "" : "s",
               plan.nu_planned());
    if (check.alpha_pooled == 0) continue;
    fmt::print("{:<12}{} pooled: δ {:.3g} %, α {:.2g}, ν = {:.0f}\n", "", check.check->name,
               100 * check.delta_pooled, check.alpha_pooled,
               plan.nu_first() * static_cast<double>(planned.configurations.size()));
  }
}

}  // namespace

int execute(const ExplainCommand& command) {
  const std::string& id = command.claim;
  const Claim* found = nullptr;
  for (const Claim& claim : all_claims()) {
    if (claim.id == id) found = &claim;
  }
  if (found == nullptr) {
    throw Exit(kNothingSelected,
               fmt::format("there is no claim '{}'{}", id, suggestion(id, claim_ids())));
  }
  fmt::print("{}\n\n{}\n\n", found->id, found->statement);
  section("formula", found->latex);
  section("source", found->source);
  section("premise", found->premise);
  section("why", found->derivation);
  if (found->erratum) {
    section("erratum", "the source says: " + found->erratum->says);
    section("", "what holds: " + found->erratum->holds);
  }
  section("domain", found->domain.str());
  section("method", found->method);
  const RunSettings settings;
  stats::Ledger ledger(settings.alpha, settings.effort->slots);
  print_plan(plan({found}, settings, ledger).front(), settings);
  if (!found->defects.empty()) {
    section("refutes", fmt::format("{}", fmt::join(found->defects, ", ")));
  }
  fmt::print("\nrootdk run --filter '^{}$'\n", found->id);
  return 0;
}

}  // namespace rootdk::cli
