#pragma once

#include <rootdk/reports/test_list.hpp>
#include <rootdk/reports/test_record.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rootdk::reports {

/// A check that the claim can fail: its own evidence with a planted effect, or a defect.
struct ControlRecord {
  std::string name;      ///< "evidence × 1.0100", "scale.root_missing"
  double predicted = 0;  ///< probability that it is seen
  bool observed = false;
  double samples = 0;
  std::string by;  ///< check and configuration that saw it
};

/// Values to plot: one curve with its intervals.
struct SeriesRecord {
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<double> x, y, low, high;
};

struct ErratumRecord {
  std::string says;
  std::string holds;
};

struct ClaimRecord {
  std::string id;
  std::string statement;
  std::string latex;
  std::string source;
  std::optional<ErratumRecord> erratum;
  std::string premise;
  std::string derivation;
  std::string domain;
  std::string method;
  Verdict verdict = Verdict::inconclusive;
  std::string reason;
  double wall_s = 0;
  double samples = 0;
  std::vector<TestRecord> pooled;
  TestList configurations;
  std::vector<ControlRecord> controls;
  std::optional<TestRecord> minimal;  ///< simplest configuration that still fails, confirmed
  std::vector<SeriesRecord> series;
};

struct LedgerRecord {
  double alpha_total = 0;
  double alpha_declared = 0;  ///< sum of all tests' α
  double alpha_reserved = 0;  ///< kept for confirming and shrinking failures
  std::int64_t claim_slots = 0;
  std::int64_t configuration_slots = 0;
  double beta = 0;  ///< of each test
};

struct RunRecord {
  std::string version;
  std::string compiler;
  std::string flags;
  std::uint64_t seed = 0;
  std::string effort;
  double alpha = 0;
  std::string subject;
  std::int64_t jobs = 0;
  std::string started;  ///< UTC, ISO 8601
  double wall_s = 0;
};

/// Everything a run found. All reports are made from it alone.
struct Result {
  RunRecord run;
  LedgerRecord ledger;
  std::vector<ClaimRecord> claims;
};

/// What one of several processes found: the tests of its share of the (claim, configuration) pairs.
struct Part {
  struct Pair {
    std::string claim;
    std::int64_t configuration = 0;  ///< its number within the claim
    std::vector<TestRecord> tests;
  };
  RunRecord run;
  std::int64_t index = 0;           ///< of the share, from 0
  std::int64_t count = 1;           ///< number of shares
  std::vector<std::string> claims;  ///< ids of all claims of the run
  std::vector<Pair> pairs;
};

/// Number of claims with that verdict.
std::size_t count(const Result& result, Verdict verdict);

/// The exit code of a run: 0 all verified, 1 refuted or untrusted, 3 inconclusive or broken.
/// What the subject lacks counts for nothing; if it lacks everything, nothing was selected: 4.
int exit_code(const Result& result);

/// Relative effect of a test in words: "+3.2 %", "×2.10", "5.1 × tolerance".
std::string effect(const TestRecord& test);

/// How far a test is from being verified easily; compares tests of one verdict. The limit of a
/// verified one is 1: the part that it uses of its tolerance, or of its δ.
double severity(const TestRecord& test);

/// Claims from the worst to the best; what does not apply comes last.
std::vector<const ClaimRecord*> worst_first(const Result& result);

/// The claim's tests from the worst to the best.
std::vector<TestRecord> worst_first(const ClaimRecord& claim);

/// The test that tells most about the claim: the worst refuted one, else the pooled one, else the
/// one nearest to its limit. Nothing if the claim made none.
std::optional<TestRecord> headline(const ClaimRecord& claim);

}  // namespace rootdk::reports
