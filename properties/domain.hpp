#pragma once

#include <rootdk/properties/configuration.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// One field of a domain: integers low … high; reals step·(low … high); or choices, numbered 0 ….
struct Axis {
  std::string name;
  std::int64_t low = 0;
  std::int64_t high = 0;
  double step = 0;  ///< 0 for integers
  std::vector<std::string> choices;

  Configuration::Value at(std::int64_t index) const;
  /// @throws std::invalid_argument if the text is no value of this axis
  std::int64_t index(std::string_view text) const;
  std::string str() const;
};

/// The configurations for which a claim is stated: a product of axes, made valid by a map. Fields
/// are independent and made valid afterwards, since dependent generators shrink badly.
class Domain {
 public:
  Domain& integer(std::string name, std::int64_t low, std::int64_t high);
  /// Reals on a dyadic grid, so that they print and shrink exactly; low and high are multiples of
  /// step.
  Domain& real(std::string name, double low, double high, double step);
  Domain& choice(std::string name, std::vector<std::string> choices);
  /// Makes a configuration valid, e.g. n = min(n, d_k). Must leave a valid one as it is.
  Domain& valid(std::string description, std::function<void(Configuration&)> map);

  const std::vector<Axis>& axes() const { return axes_; }
  Configuration at(const std::vector<std::int64_t>& indices) const;
  std::vector<std::int64_t> indices(const Configuration& configuration) const;

  /// Reads "d_k=17,n=8"; every field must be there.
  ///
  /// @throws std::invalid_argument naming what is missing, unknown, out of range or invalid
  Configuration parse(std::string_view text) const;

  /// The domain in words: "d_k 1–128, n 1–64; n ≤ d_k".
  std::string str() const;

  /// Number of points of the product; a very large one is cut at 2⁶².
  std::uint64_t size() const;

 private:
  std::vector<Axis> axes_;
  std::string valid_description_;
  std::function<void(Configuration&)> valid_;
};

/// The map of `valid` that lowers an integer field to another: at_most("n", "d_k").
std::function<void(Configuration&)> at_most(std::string field, std::string bound);

/// Distinct configurations of the domain: all of them if there are at most `count`, in order;
/// otherwise `count` random ones, in which the combinations of choices take turns so that each is
/// met equally often. A pure function of (domain, count, seed).
std::vector<Configuration> draw_configurations(const Domain& domain, std::size_t count,
                                               std::uint64_t seed);

/// The simplest configuration for which `fails` still holds, from one for which it does. Fields
/// move towards their lowest value (the first choice) by the shrink sequences of RapidCheck; each
/// candidate is asked once.
///
/// @param budget largest number of candidates asked
Configuration shrink_configuration(const Domain& domain, const Configuration& failing,
                                   std::size_t budget,
                                   const std::function<bool(const Configuration&)>& fails);

}  // namespace rootdk
