// Results for the tests of the writers.

#include <rootdk/reports/record.hpp>

#include <limits>
#include <string>

namespace rootdk::reports {

inline TestRecord scale_test(const std::string& configuration, double estimate, Verdict verdict) {
  return {.configuration = configuration,
          .check = "variance",
          .law = "chi_squared",
          .expected = 2,
          .estimate = estimate,
          .interval = {estimate - 0.0625, estimate + 0.0625},
          .delta = 0.0625,
          .unit = 2,
          .alpha = 0x1p-40,
          .beta = 0x1p-20,
          .p = verdict == Verdict::refuted ? 0x1p-50 : 0.5,
          .log10_p = verdict == Verdict::refuted ? -15.0 : -0.25,
          .nu_planned = 4096,
          .nu_used = 1024,
          .statistic = 1024 * estimate / 2,
          .nu_first = 1024,
          .statistic_first = 1024 * estimate / 2,
          .look = 1,
          .verdict = verdict,
          .reason = {},
          .where = {},
          .replay = "scores.variance:" + configuration + ":seed=1"};
}

inline TestRecord bound_test(double error_u, Verdict verdict) {
  return {.configuration = "n=3",
          .check = "sum",
          .law = "bound",
          .nu_planned = 1,
          .nu_used = 12,
          .statistic = error_u / 8,
          .nu_first = 12,
          .statistic_first = error_u / 8,
          .look = 1,
          .verdict = verdict,
          .reason = {},
          .error_u = error_u,
          .tolerance_u = 8,
          .where = "row 2: 0.5, expected 0.25",
          .replay = "softmax.simplex:n=3:seed=1"};
}

inline ClaimRecord claim_record(const std::string& id, Verdict verdict) {
  return {.id = id,
          .statement = "A statement about " + id,
          .latex = R"(\operatorname{Var}(q\cdot k) = d_k)",
          .source = "section “Variance”",
          .erratum = std::nullopt,
          .premise = "independent entries",
          .derivation = "Because of independence.",
          .domain = "d_k 1–256",
          .method = "L: χ²",
          .verdict = verdict,
          .reason = {},
          .wall_s = 0.25,
          .samples = 2048,
          .pooled = {},
          .configurations = {},
          .controls = {},
          .minimal = std::nullopt,
          .series = {}};
}

/// One claim of every verdict, with every kind of test.
inline Result sample_result() {
  Result result;
  result.run = {.version = "1.2.3",
                .compiler = "GNU 12",
                .flags = "Release",
                .seed = 9007199254740991,  // the greatest that is allowed, 2⁵³ − 1
                .effort = "standard",
                .alpha = 1e-6,
                .subject = "library",
                .jobs = 2,
                .started = "2001-02-03T04:05:06Z",
                .wall_s = 1.5};
  result.ledger = {.alpha_total = 1e-6,
                   .alpha_declared = 2.5e-7,
                   .alpha_reserved = 1e-7,
                   .claim_slots = 512,
                   .configuration_slots = 128,
                   .beta = 1e-6};
  ClaimRecord good = claim_record("scores.variance", Verdict::verified);
  good.pooled = {scale_test("pooled", 2, Verdict::verified)};
  for (int i = 1; i <= 12; ++i) {
    good.configurations.push_back(
        scale_test("d_k=" + std::to_string(i) + ",law=normal", 2 + i / 1024.0, Verdict::verified));
  }
  good.controls = {{.name = "evidence × 1.01",
                    .predicted = 1,
                    .observed = true,
                    .samples = 1024,
                    .by = "pooled"}};
  good.erratum = {"std is 5¹⁰", "std is 5⁹"};
  good.series = {{.name = "score density | d_k = 2 | observed",
                  .x_label = "score",
                  .y_label = "density",
                  .x = {0, 1},
                  .y = {0.5, 0.25},
                  .low = {0.25, 0.125},
                  .high = {0.75, 0.5}}};
  ClaimRecord bad = claim_record("softmax.simplex", Verdict::refuted);
  bad.configurations = {bound_test(32, Verdict::refuted),
                        scale_test("d_k=3", 2.5, Verdict::refuted)};
  bad.minimal = bound_test(16, Verdict::refuted);
  ClaimRecord open = claim_record("depth.gain", Verdict::inconclusive);
  open.reason = "UNDERPOWERED";
  open.configurations = {scale_test("d_k=5", 2, Verdict::inconclusive)};
  ClaimRecord broken = claim_record("norm.rms", Verdict::broken);
  broken.reason = "rms_norm: row 3 is not finite";
  ClaimRecord untrusted = claim_record("init.law", Verdict::untrusted);
  untrusted.reason = "not seen: scale.root_missing";
  untrusted.configurations = {scale_test("d_k=7", 2, Verdict::verified)};
  untrusted.controls = {
      {.name = "scale.root_missing", .predicted = 1, .observed = false, .samples = 99, .by = ""}};
  ClaimRecord absent = claim_record("init.gain", Verdict::not_applicable);
  absent.reason = "subject has no init forward";
  result.claims = {good, bad, open, broken, untrusted, absent};
  return result;
}

/// Quotes, ends of every markup, control characters, invalid UTF-8, what has more than one byte.
inline std::string hostile_text() {
  using namespace std::string_literals;
  return "\"'`|<>&\\ </script><!-- --></style></textarea> ]]> {{x}} ${y} \r\n\t \x01\x1f\x7f\0 "s +
         "\xff\xfe \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82 😀 √dₖ =1+1,;# " +
         std::string(10000, 'x');
}

/// Hostile text in every field, and numbers that are not finite in every number.
inline Result hostile_result() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string text = hostile_text();
  Result result = sample_result();
  result.run.version = result.run.compiler = result.run.flags = text;
  result.run.effort = result.run.subject = result.run.started = text;
  result.run.wall_s = nan;
  result.ledger.beta = inf;
  for (ClaimRecord& claim : result.claims) {
    claim.id += text;
    claim.statement = claim.latex = claim.source = claim.premise = claim.derivation = text;
    claim.domain = claim.method = claim.reason = text;
    claim.erratum = {text, text};
    claim.wall_s = nan;
    claim.samples = inf;
    claim.pooled.push_back(scale_test(text, nan, Verdict::refuted));
    claim.configurations.push_back(scale_test(text, -inf, Verdict::refuted));
    claim.configurations.push_back(bound_test(inf, Verdict::refuted));
    claim.configurations.push_back(bound_test(nan, Verdict::refuted));
    std::vector<TestRecord> tests = claim.configurations.all();
    for (TestRecord& test : tests) {
      test.check = test.where = test.replay = text;
      test.p = nan;
      test.log10_p = -inf;
    }
    claim.configurations = TestList(tests);
    claim.controls.push_back(
        {.name = text, .predicted = nan, .observed = false, .samples = inf, .by = text});
    claim.series.push_back({.name = text,
                            .x_label = text,
                            .y_label = text,
                            .x = {nan},
                            .y = {inf},
                            .low = {-inf},
                            .high = {1}});
  }
  return result;
}

}  // namespace rootdk::reports
