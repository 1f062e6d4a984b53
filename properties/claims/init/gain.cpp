#include <rootdk/lib/ops/activation_names.hpp>
#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/mean_field.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace rootdk::claims::init::gain {
namespace {

/// E f(z)² as twelve digits or a closed form.
struct Known {
  std::string_view activation;
  double value;
};
constexpr std::array kKnown{
    Known{"identity", 1},
    Known{"relu", 0.5},
    Known{"tanh", 0.394294490398},
    Known{"sigmoid", 0.293379035858},
    Known{"silu", 0.355775519817},
    Known{"gelu", 0.425221482570},
    Known{"selu", 1},
};

double slope_at(const Configuration& at) { return at.has("slope") ? at.real("slope") : 0; }

double known(std::string_view activation, double slope) {
  if (activation == "leaky_relu") return (1 + slope * slope) / 2;
  const auto* found = std::ranges::find(kKnown, activation, &Known::activation);
  if (found == kKnown.end()) throw std::invalid_argument("init.gain: E f² is not known");
  return found->value;
}

void sample(Block& block, const std::string& f) {
  const double slope = slope_at(block.configuration());
  const std::int64_t width = block.integer("width");
  const stats::Cumulants square = activation_square(f, 1, slope);
  const Tensor z = pre_activations(block, block.integer("n_in"), width, 1);
  const Tensor y = block.matrix(1, width);
  block.forward(f, {.slope = slope}, {z}, {y});
  standardised_squares(block, "second moment", y, square);
  if (!block.first()) return;
  block.digits("constant", square.mean, known(f, slope), 5e-13, "E f(z)²");
  const Tensor g = block.matrix(1, 1);
  block.forward("activation_gain", {.slope = slope, .activation = f}, {}, {g});
  // The gain is good to 4 u and squared; the quadrature errs by 1e−13, some hundred u of double.
  const double seen = element(g, 0, 0) * element(g, 0, 0) * square.mean;
  block.close("gain", seen, 1, 1, 8 + (block.dtype() == Dtype::f64 ? 1000 : 0), "g² E f²");
}

Claim claim_of(const std::string& f) {
  const auto moments = [f](const Configuration& at) {
    return activation_square(f, 1, slope_at(at));
  };
  Domain domain;
  domain.integer("n_in", 1, 6).integer("width", 2000, 4000);
  if (f == "leaky_relu") domain.real("slope", 0.0625, 1.5, 0.0625);
  domain.choice("dtype", {"f64", "f32"});
  return {.member = f,
          .statement = "The gain of " + f +
                       " is 1/√(E f(z)²), z standard normal: weights of variance gain²/n_in keep "
                       "pre-activations at variance 1 through x ↦ f(x)W",
          .latex = R"(g^2\,\mathbb E f(z)^2 = 1,\quad z\sim\mathcal N(0,1))",
          .source = "section “A more refined version”: compensation for the activation function",
          .premise = "pre-activations standard normal",
          .derivation =
              "Given the activations, the next pre-activation has variance "
              "Σ f(z_i)² g²/n_in, which tends to g² E f(z)². For ReLU symmetry gives ½; "
              "for the others the integral has to be computed.",
          .method = "Q: E f² by quadrature; M: the subject's f on exactly normal pre-activations",
          .domain = std::move(domain),
          .needs = {{"init"}, {"linear"}, {f}, {"activation_gain"}},
          .checks = {{.name = "second moment",
                      .law = stats::moment(0, 0),
                      .expected = [moments](const Configuration& at) { return moments(at).mean; },
                      .unit = [moments](const Configuration& at) { return moments(at).sd; },
                      .law_at = [moments](const Configuration& at) { return moments(at).law(); }},
                     {.name = "constant", .law = stats::bound()},
                     {.name = "gain", .law = stats::bound()}},
          .sample = [f](Block& block) { sample(block, f); },
          .defects = f == "selu" ? std::vector<std::string>{"init.selu_gain"}
                                 : std::vector<std::string>{"init.fans_swapped"}};
}

}  // namespace

Claims claim() {
  std::vector<Claim> members;
  for (const NamedActivation& f : activations()) members.push_back(claim_of(std::string(f.name)));
  return members;
}

}  // namespace rootdk::claims::init::gain
