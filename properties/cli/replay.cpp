#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/token.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rootdk::cli {
namespace {

const Claim& claim_of(const std::string& id) {
  for (const Claim& claim : all_claims()) {
    if (claim.id == id) return claim;
  }
  throw Exit(kUsage,
             fmt::format("token: there is no claim '{}'{}", id, suggestion(id, claim_ids())));
}

}  // namespace

int execute(const ReplayCommand& command) {
  Token token = parse_token(command.token);
  if (!command.subject.empty()) token.subject = command.subject;
  const Claim& claim = claim_of(token.claim);
  RunOptions options{
      .effort = token.effort, .seed = std::to_string(token.seed), .alpha = token.alpha};
  const RunSettings settings = settings_of(options);
  const Configuration configuration = claim.domain.parse(token.configuration);
  const Subject subject = subject_of(token.subject);
  stats::Ledger ledger(settings.alpha, settings.effort->slots);
  PlannedClaim planned = plan({&claim}, settings, ledger).front();
  if (token.fresh) planned = confirming(std::move(planned), settings);
  const reports::ConsoleStyle style = style_of(command.console);
  fmt::print("{}\n", claim.statement);
  stats::Verdict worst = stats::Verdict::not_applicable;
  for (const reports::TestRecord& record :
       evaluate(planned, configuration, subject, settings, interrupted,
                token.fresh ? Data::fresh : Data::planned)) {
    fmt::print("{}", reports::describe(record, style));
    worst = std::max(worst, record.verdict);
  }
  switch (worst) {
    case stats::Verdict::verified:
      return 0;
    case stats::Verdict::refuted:
      return 1;
    case stats::Verdict::not_applicable:
      return kNothingSelected;
    default:
      return 3;
  }
}

}  // namespace rootdk::cli
