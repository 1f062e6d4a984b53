#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <vector>

namespace rootdk::claims::init::linearity {
namespace {

double mean_square(std::span<const double> w) {
  double sum = 0;
  for (const double value : w) sum += value * value;
  return sum / static_cast<double>(w.size());
}

void sample(Block& block) {
  const Initialiser& rule = initialiser(block.text("initialiser"));
  const auto rows = block.integer("fan_in");
  const auto cols = block.integer("fan_out");
  const std::uint64_t seed = block.seed("W");
  const auto draw = [&](double gain, std::int64_t in, std::int64_t out) {
    // The law of an orthogonal matrix follows from its shape; the other rules draw one shape for
    // all fans, so that entries can be compared.
    const bool shaped = rule.law == EntryLaw::orthogonal;
    const Tensor w = shaped ? block.matrix(in, out) : block.matrix(rows, cols);
    block.forward("init",
                  {.initialiser = rule.name,
                   .slope = 0.5,
                   .gain = gain,
                   .fan_in = static_cast<double>(in),
                   .fan_out = static_cast<double>(out),
                   .d_k = 5,
                   .branches = 3,
                   .seed = seed},
                  {}, {w});
    return block.values(w);
  };
  const double gain = block.real("gain");
  const auto once = draw(gain, rows, cols);
  const auto twice = draw(2 * gain, rows, cols);
  bool doubled = true;
  for (std::size_t i = 0; i < once.size(); ++i) doubled = doubled && twice[i] == 2 * once[i];
  block.holds("gain", doubled, "W(2g) = 2 W(g)");

  const auto fan = [&](bool depends, std::span<const double> wider, std::string_view where) {
    const double before = mean_square(once);
    const double after = mean_square(wider);
    block.holds("fans", depends ? after < before : after == before, where);
  };
  // Orthogonal depends on the longer side: the fan is made the longer one, at twice its length.
  const bool orthogonal = rule.law == EntryLaw::orthogonal;
  const std::int64_t longer = 2 * std::max(rows, cols);
  fan(rule.depends_on_fan_in, draw(gain, orthogonal ? longer : 2 * rows, cols), "more fan_in");
  fan(rule.depends_on_fan_out, draw(gain, rows, orthogonal ? longer : 2 * cols), "more fan_out");
}

std::vector<std::string> names_of_rules() {
  std::vector<std::string> names;
  for (const Initialiser& rule : initialisers()) names.emplace_back(rule.name);
  return names;
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "On one random stream twice the gain gives exactly twice the weights, bit for bit; "
          "the variance falls strictly in the fans that a rule names and does not depend on "
          "the others",
      .latex = R"(W(2g) = 2\,W(g),\qquad \frac{\partial \sigma^2}{\partial n} \le 0)",
      .source = "section “The solution of initialisation”",
      .derivation =
          "An entry is a standard draw times a standard deviation, and doubling commutes "
          "with rounding in binary. Every rule is a decreasing function of the fans that "
          "it names, since more terms in a sum need smaller ones.",
      .method = "I: two draws of one stream compared bit for bit; mean squares compared",
      .domain = Domain()
                    .choice("initialiser", names_of_rules())
                    .integer("fan_in", 1, 32)
                    .integer("fan_out", 1, 32)
                    .real("gain", 0.25, 4, 0.0625)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"init"}},
      .checks = {{.name = "gain", .law = stats::bound()}, {.name = "fans", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.silent_default", "init.fans_swapped"},
  };
}

}  // namespace rootdk::claims::init::linearity
