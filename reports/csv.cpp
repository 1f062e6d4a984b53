#include <rootdk/reports/csv.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/format.h>

#include <ostream>
#include <sstream>

namespace rootdk::reports {
namespace {

void write(std::ostream& out, const ClaimRecord& claim, const TestRecord& test) {
  for (const std::string_view text :
       {std::string_view(claim.id), std::string_view(test.configuration),
        std::string_view(test.check), std::string_view(test.law), stats::name(test.verdict),
        std::string_view(test.reason)}) {
    out << csv_field(text) << ',';
  }
  // The shortest text that reads back as the same number.
  out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},", test.expected,
                     test.estimate, test.interval[0], test.interval[1], test.delta, test.unit,
                     test.alpha, test.beta, test.p, test.log10_p, test.nu_planned, test.nu_used,
                     test.statistic, test.nu_first, test.statistic_first, test.look, test.error_u,
                     test.tolerance_u, csv_field(test.where));
  out << csv_field(test.replay) << "\r\n";
}

}  // namespace

void write_csv(std::ostream& out, const Result& result) {
  out << "claim,configuration,check,law,verdict,reason,expected,estimate,low,high,delta,unit,alpha,"
         "beta,p,"
         "log10_p,nu_planned,nu_used,statistic,nu_first,statistic_first,look,error_u,tolerance_u,"
         "where,"
         "replay\r\n";
  for (const ClaimRecord& claim : result.claims) {
    for (const TestRecord& test : claim.pooled) write(out, claim, test);
    for (const TestRecord& test : claim.configurations) write(out, claim, test);
  }
}

std::string to_csv(const Result& result) {
  std::ostringstream out;
  write_csv(out, result);
  return std::move(out).str();
}

}  // namespace rootdk::reports
