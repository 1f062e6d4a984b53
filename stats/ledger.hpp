#pragma once

#include <cstddef>
#include <cstdint>

namespace rootdk::stats {

/// Fixed slots among which the run's α is shared, so that a claim more, a filter or another subject
/// changes nobody else's numbers.
struct Slots {
  std::size_t claims = 512;
  std::size_t configurations = 128;
};

/// The run's one budget of false alarms. Half goes to the pooled tests, one a claim, half to the
/// configurations; a tenth of each share is kept for confirming and shrinking a failure.
///
/// Guarantee: however the tests depend on each other, the probability that a correct subject is
/// refuted anywhere is at most the sum of what was spent, at most alpha.
class Ledger {
 public:
  /// @throws std::invalid_argument if alpha is not in (0, 1) or a number of slots is 0
  Ledger(double alpha, Slots slots);

  double alpha() const { return alpha_; }
  Slots slots() const { return slots_; }
  double spent() const { return spent_; }
  double reserved() const { return reserved_; }

  /// Share of one pooled test of a claim that makes `tests` of them.
  double pooled_share(std::size_t tests) const;
  /// Share of one test in one configuration of a claim that makes `tests` of them in each.
  double configuration_share(std::size_t tests) const;
  /// Share of one confirming test, of at most `candidates`, after a failure in one configuration.
  double confirmation_share(std::size_t candidates) const;

  /// Books a claim's tests and their reserve.
  ///
  /// @throws std::invalid_argument if the claim has more configurations than slots, or there are
  ///         more claims than slots, or the budget would be overdrawn
  void book(std::size_t configurations, std::size_t tests, std::size_t pooled_tests);

 private:
  double alpha_;
  Slots slots_;
  double spent_ = 0;
  double reserved_ = 0;
  std::size_t claims_ = 0;
};

}  // namespace rootdk::stats
