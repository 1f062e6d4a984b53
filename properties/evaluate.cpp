#include <rootdk/properties/run.hpp>
#include <rootdk/properties/token.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <optional>

namespace rootdk {
namespace {

using reports::TestRecord;
using stats::Decision;
using stats::Verdict;

// Number of the first block of fresh data, far beyond those of any run.
constexpr std::uint64_t kFreshBlock = std::uint64_t{1} << 40;

/// The widest dtype in which the subject has all that a claim needs.
std::optional<Dtype> working_dtype(const Claim& claim, const Configuration& configuration,
                                   const Subject& subject) {
  const auto has_all = [&](Dtype dtype) {
    for (const Need& need : claim.needs) {
      if (!subject.has({need.op, need.pass, dtype})) return false;
    }
    return true;
  };
  if (configuration.has("dtype")) {
    const Dtype asked = dtype_named(configuration.text("dtype"));
    return has_all(asked) ? std::optional(asked) : std::nullopt;
  }
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
    if (has_all(dtype)) return dtype;
  }
  return std::nullopt;
}

/// What a check needs and the subject lacks, or nothing.
std::string lacking(const Check& check, const Subject& subject) {
  for (const Key& key : check.needs) {
    if (subject.has(key)) continue;
    return fmt::format("subject has no {} {} in {}", key.op,
                       key.pass == Pass::forward ? "forward" : "backward", name(key.dtype));
  }
  return {};
}

std::string lacking(const Claim& claim, const Configuration& configuration,
                    const Subject& subject) {
  for (const Need& need : claim.needs) {
    bool found = false;
    for (const auto& [key, kernel] : subject.kernels()) {
      found = found || (key.op == need.op && key.pass == need.pass);
    }
    if (found) continue;
    return fmt::format("subject has no {} {}", need.op,
                       need.pass == Pass::forward ? "forward" : "backward");
  }
  if (!configuration.has("dtype")) return "subject has no one dtype for all operations";
  return "subject has not all in " + configuration.text("dtype");
}

/// What has been seen of one check so far.
struct Running {
  const stats::Plan* plan = nullptr;
  CheckEvidence total;
  double nu_block = 0;  ///< of the first block: later looks fall at fixed numbers of blocks
  std::size_t look = 0;
  bool decided = false;
};

void accumulate(Running& running, const CheckEvidence& block) {
  const bool worst =
      running.total.evidence.nu == 0 || worse(block.evidence.x, running.total.evidence.x);
  stats::add(running.plan->law, running.total.evidence, block.evidence);
  if (!worst) return;
  running.total.error_u = block.error_u;
  running.total.tolerance_u = block.tolerance_u;
  running.total.where = block.where;
}

/// Effect in the unit of the statement.
double in_units(const Check& check, const Configuration& at, stats::LawKind kind, double effect) {
  switch (kind) {
    case stats::LawKind::scale:
    case stats::LawKind::extreme:
      return check.expected(at) * (1 + effect);
    case stats::LawKind::location:
    case stats::LawKind::moment:
      return check.expected(at) + check.unit(at) * effect;
    default:
      return effect;
  }
}

void fill_finding(TestRecord& record, const Check& check, const Configuration& at,
                  const stats::Law& law, const stats::Finding& finding) {
  if (law.kind == stats::LawKind::proportion) {
    record.expected = law.p0;
    record.unit = law.unit;
    record.estimate = law.p0 + law.unit * finding.estimate;
    record.interval = {law.p0 + law.unit * finding.interval.low,
                       law.p0 + law.unit * finding.interval.high};
  } else if (law.kind == stats::LawKind::share) {
    record.expected = law.p0;
    record.estimate = law.p0 * std::exp(finding.estimate);
    record.interval = {law.p0 * std::exp(finding.interval.low),
                       law.p0 * std::exp(finding.interval.high)};
  } else {
    record.expected = in_units(check, at, law.kind, 0);
    record.unit = in_units(check, at, law.kind, 1) - record.expected;
    record.estimate = in_units(check, at, law.kind, finding.estimate);
    record.interval = {in_units(check, at, law.kind, finding.interval.low),
                       in_units(check, at, law.kind, finding.interval.high)};
  }
  record.p = finding.p;
  record.log10_p = finding.log10_p;
}

/// Judges a check whose look has come, or the end of a deterministic one.
void decide(Running& running, TestRecord& record, const PlannedCheck& planned,
            const Configuration& at) {
  stats::Evidence& evidence = running.total.evidence;
  if (running.plan->law.kind == stats::LawKind::shape) {
    evidence.x = stats::uniform_distance(evidence.values);
  }
  const stats::LookResult result = stats::judge(*running.plan, evidence, running.look);
  if (record.nu_first == 0) {
    record.nu_first = evidence.nu;
    record.statistic_first = evidence.x;
  }
  ++running.look;
  if (result.decision == Decision::go_on) return;
  running.decided = true;
  record.look = static_cast<std::int64_t>(running.look);
  record.nu_used = evidence.nu;
  record.statistic = evidence.x;
  record.error_u = running.total.error_u;
  record.tolerance_u = running.total.tolerance_u;
  record.where = running.total.where;
  fill_finding(record, *planned.check, at, running.plan->law, result.finding);
  if (result.decision == Decision::verified) record.verdict = Verdict::verified;
  if (result.decision == Decision::refuted) {
    record.verdict = Verdict::refuted;
    if (planned.statistical && !std::isfinite(evidence.x)) record.reason = "NON_FINITE";
  }
  if (result.decision == Decision::undecided) record.reason = "UNDERPOWERED";
}

TestRecord blank_record(const PlannedClaim& claim, const PlannedCheck& planned,
                        const Configuration& at, const stats::Plan& plan, const Subject& subject,
                        const RunSettings& settings, Data data) {
  TestRecord record;
  record.configuration = at.str();
  record.check = planned.check->name;
  record.law = stats::name(plan.law.kind);
  record.delta = planned.delta;
  record.alpha = planned.alpha;
  record.beta = planned.statistical ? settings.beta : 0;
  record.nu_planned = plan.nu_planned();
  record.replay = token_text({.claim = claim.claim->id,
                              .configuration = record.configuration,
                              .seed = settings.seed,
                              .effort = std::string(settings.effort->name),
                              .alpha = settings.alpha,
                              .fresh = data == Data::fresh,
                              .subject = subject.name()});
  return record;
}

class Evaluation {
 public:
  Evaluation(const PlannedClaim& claim, const Configuration& at, const Subject& subject,
             const RunSettings& settings, Data data)
      : claim_(claim), at_(at), subject_(subject), settings_(settings), data_(data) {
    for (std::size_t k = 0; k < claim.checks.size(); ++k) {
      running_.push_back({.plan = &look_plan(claim, k, at, settings), .total = {}});
      records_.push_back(
          blank_record(claim, claim.checks[k], at, *running_[k].plan, subject, settings, data));
      names_.push_back(claim.checks[k].check->name);
      const std::string missing = lacking(*claim.checks[k].check, subject);
      if (!missing.empty()) {
        running_[k].decided = true;
        records_[k].verdict = Verdict::not_applicable;
        records_[k].reason = missing;
      } else if (std::isnan(claim.checks[k].check->expected(at))) {
        // As of a new scheme whose variance its author has not given.
        running_[k].decided = true;
        records_[k].reason = "NOT_STATED";
      }
    }
  }

  std::vector<TestRecord> finish(const std::atomic<bool>& stop) {
    const auto dtype = working_dtype(*claim_.claim, at_, subject_);
    if (!dtype) return all(Verdict::not_applicable, lacking(*claim_.claim, at_, subject_));
    try {
      for (std::uint64_t number = 0; number == 0 || !statistical_decided(); ++number) {
        if (stop) return all(Verdict::inconclusive, "INTERRUPTED");
        draw(*dtype, (data_ == Data::fresh ? kFreshBlock : 0) + number, number == 0);
        look(number + 1);
      }
      conclude_deterministic();
    } catch (const NotApplicable& lacking) {
      return all(Verdict::not_applicable, lacking.what());
    } catch (const std::exception& error) {
      return all(Verdict::broken, error.what());
    }
    return std::move(records_);
  }

 private:
  void draw(Dtype dtype, std::uint64_t number, bool first) {
    static thread_local Workspace workspace;
    block_evidence_.assign(running_.size(), {});
    const Address address{.seed = settings_.seed,
                          .claim = hash(claim_.claim->id),
                          .configuration = hash(records_.front().configuration),
                          .block = number};
    Block block(at_, subject_, address, dtype, names_, workspace, block_evidence_, first);
    claim_.claim->sample(block);
  }

  void look(std::uint64_t blocks) {
    for (std::size_t k = 0; k < running_.size(); ++k) {
      Running& running = running_[k];
      if (running.decided) continue;
      accumulate(running, block_evidence_[k]);
      if (blocks == 1) running.nu_block = running.total.evidence.nu;
      if (!(running.nu_block > 0)) {
        running.decided = true;
        records_[k].reason = "VACUOUS";
      } else if (claim_.checks[k].statistical && blocks == blocks_at(running, running.look)) {
        // Looks of one size in blocks are one look.
        while (running.look + 1 < running.plan->looks.size() &&
               blocks == blocks_at(running, running.look + 1)) {
          ++running.look;
        }
        decide(running, records_[k], claim_.checks[k], at_);
      }
    }
  }

  static std::uint64_t blocks_at(const Running& running, std::size_t look) {
    return static_cast<std::uint64_t>(std::ceil(running.plan->looks[look] / running.nu_block));
  }

  bool statistical_decided() const {
    for (std::size_t k = 0; k < running_.size(); ++k) {
      if (claim_.checks[k].statistical && !running_[k].decided) return false;
    }
    return true;
  }

  void conclude_deterministic() {
    for (std::size_t k = 0; k < running_.size(); ++k) {
      if (!running_[k].decided) decide(running_[k], records_[k], claim_.checks[k], at_);
    }
  }

  std::vector<TestRecord> all(Verdict verdict, const std::string& reason) {
    for (TestRecord& record : records_) {
      record.verdict = verdict;
      record.reason = reason;
    }
    return std::move(records_);
  }

  const PlannedClaim& claim_;
  const Configuration& at_;
  const Subject& subject_;
  const RunSettings& settings_;
  Data data_;
  std::vector<std::string_view> names_;
  std::vector<Running> running_;
  std::vector<CheckEvidence> block_evidence_;
  std::vector<TestRecord> records_;
};

}  // namespace

std::vector<TestRecord> evaluate(const PlannedClaim& claim, const Configuration& configuration,
                                 const Subject& subject, const RunSettings& settings,
                                 const std::atomic<bool>& stop, Data data) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<TestRecord> records =
      Evaluation(claim, configuration, subject, settings, data).finish(stop);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (!records.empty()) records.front().wall_s = spent.count();
  return records;
}

}  // namespace rootdk
