#include <rootdk/stats/ledger.hpp>

#include <fmt/format.h>

#include <stdexcept>

namespace rootdk::stats {
namespace {

constexpr double kReserve = 0.1;
// Rounding of the sum of shares; anything beyond it is a mistake in the shares.
constexpr double kRounding = 1e-9;

}  // namespace

Ledger::Ledger(double alpha, Slots slots) : alpha_(alpha), slots_(slots) {
  if (!(alpha > 0 && alpha < 1)) {
    throw std::invalid_argument(fmt::format("alpha is {}, must lie in (0, 1)", alpha));
  }
  if (slots.claims == 0 || slots.configurations == 0) {
    throw std::invalid_argument("ledger: the number of slots is 0");
  }
}

double Ledger::pooled_share(std::size_t tests) const {
  const double claim = alpha_ / 2 / static_cast<double>(slots_.claims);
  return (1 - kReserve) * claim / static_cast<double>(tests);
}

double Ledger::configuration_share(std::size_t tests) const {
  return pooled_share(tests) / static_cast<double>(slots_.configurations);
}

double Ledger::confirmation_share(std::size_t candidates) const {
  const double claim = alpha_ / 2 / static_cast<double>(slots_.claims);
  return kReserve * claim / static_cast<double>(candidates);
}

void Ledger::book(std::size_t configurations, std::size_t tests, std::size_t pooled_tests) {
  if (configurations > slots_.configurations) {
    throw std::invalid_argument(fmt::format("ledger: {} configurations, but only {} slots",
                                            configurations, slots_.configurations));
  }
  if (++claims_ > slots_.claims) {
    throw std::invalid_argument(
        fmt::format("ledger: more than {} claims, the number of slots", slots_.claims));
  }
  double shares = 0;
  if (tests > 0) {
    shares += static_cast<double>(configurations) * static_cast<double>(tests) *
              configuration_share(tests);
  }
  if (pooled_tests > 0) shares += static_cast<double>(pooled_tests) * pooled_share(pooled_tests);
  spent_ += shares;
  reserved_ += shares * kReserve / (1 - kReserve);
  if (spent_ + reserved_ > alpha_ * (1 + kRounding)) {
    throw std::invalid_argument(
        fmt::format("ledger: {} spent and {} reserved of {}", spent_, reserved_, alpha_));
  }
}

}  // namespace rootdk::stats
