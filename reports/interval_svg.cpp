#include <rootdk/reports/interval_svg.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rootdk::reports {
namespace {

constexpr double kWidth = 160;
constexpr double kMiddle = 80;
// The shown range is ± 2 δ; what lies beyond is drawn as an arrow.
constexpr double kReach = 2;
constexpr double kPerDelta = 36;

std::string frame(const std::string& label, const std::string& content) {
  return fmt::format("<svg class=iv viewBox=\"0 0 {} 22\" role=img aria-label=\"{}\">{}</svg>",
                     kWidth, escape_html(label), content);
}

std::string arrow(bool right) {
  return right ? "<path class=iv-d d=\"M160 11l-7 -4v8z\"/>"
               : "<path class=iv-d d=\"M0 11l7 -4v8z\"/>";
}

double place(double deltas) { return kMiddle + kPerDelta * std::clamp(deltas, -kReach, kReach); }

std::string against_tolerance(const TestRecord& test) {
  const double part = test.tolerance_u > 0 ? test.error_u / test.tolerance_u : test.error_u;
  const double full = 2 * kPerDelta;
  const bool beyond = !(part <= 1.5);
  const double bar = beyond ? kWidth - 16 : std::max(part * full, test.error_u > 0 ? 1.5 : 0.0);
  return frame(fmt::format("error {:.3g} of a tolerance of {:.3g} roundoffs", test.error_u,
                           test.tolerance_u),
               fmt::format("<rect class=iv-b x=8 y=6 width={:.0f} height=10 />"
                           "<rect class=iv-e x=8 y=8 width={:.1f} height=6 />"
                           "<path class=iv-l d=\"M{:.0f} 2v18\"/>{}",
                           full, bar, 8 + full, beyond ? arrow(true) : ""));
}

}  // namespace

std::string interval_svg(const TestRecord& test) {
  if (test.law == "bound") return against_tolerance(test);
  const double delta = test.delta * std::abs(test.unit);
  if (!(delta > 0) || test.nu_used <= 0) return {};
  const auto in_deltas = [&](double value) { return (value - test.expected) / delta; };
  const double low = in_deltas(test.interval[0]);
  const double high = in_deltas(test.interval[1]);
  const double estimate = in_deltas(test.estimate);
  std::string content = fmt::format(
      "<rect class=iv-b x={:.0f} y=3 width={:.0f} height=16 /><path class=iv-c d=\"M{:.0f} "
      "1v20\"/>",
      place(-1), 2 * kPerDelta, kMiddle);
  if (std::isfinite(estimate)) {
    content += fmt::format("<path class=iv-i d=\"M{:.1f} 11H{:.1f}\"/>",
                           place(std::isnan(low) ? -kReach : low),
                           place(std::isnan(high) ? kReach : high));
    if (std::abs(estimate) <= kReach) {
      content += fmt::format("<circle class=iv-d cx={:.1f} cy=11 r=3.2 />", place(estimate));
    } else {
      content += arrow(estimate > 0);
    }
  } else {
    content += "<text class=iv-t x=80 y=15 text-anchor=middle>not finite</text>";
  }
  return frame(fmt::format("{:.4g}, interval {:.4g} to {:.4g}, against {:.4g} ± {:.3g}",
                           test.estimate, test.interval[0], test.interval[1], test.expected, delta),
               content);
}

}  // namespace rootdk::reports
