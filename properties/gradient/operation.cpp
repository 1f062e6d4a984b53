#include <rootdk/lib/ops/activation_names.hpp>
#include <rootdk/properties/gradient/operation.hpp>

#include <algorithm>
#include <utility>

namespace rootdk {
namespace {

constexpr double kLogits = 20;    // size of saturated logits
constexpr double kFactor = 4.5;   // of queries and of keys: 4.5² ≈ 20 after the scale 1/√d_k
constexpr double kFarMean = 1e6;  // mean of shifted rows in units of their spread

Shape shape(const Configuration& c, std::string_view rows, std::string_view cols) {
  return {c.integer("batch"), 1, c.integer(rows), c.integer(cols)};
}
Shape row(std::int64_t cols) { return {1, 1, 1, cols}; }
Shape square(std::int64_t rows, std::int64_t cols) { return {1, 1, rows, cols}; }

/// The fields that all have: dtype and kind of data take turns, the others are drawn.
Domain base(std::int64_t rows, std::int64_t cols) {
  return Domain()
      .choice("dtype", {"f64", "f32", "f16", "bf16"})
      .choice("data", data_kinds())
      .integer("batch", 1, 3)
      .integer("n", 1, rows)
      .integer("d", 1, cols)
      .integer("power", -6, 6)
      .integer("small_cotangent", 0, 1);
}

/// A row of a gradient sums to 0.
std::vector<Identity> row_sums(const GradientValues& at) {
  const Shape& s = at.instance.inputs[0].shape;
  const auto width = static_cast<std::size_t>(s[3]);
  std::vector<Identity> result;
  for (std::size_t i = 0; i < at.gradients[0].size() / width; ++i) {
    result.push_back({.name = "Σ dz = 0",
                      .input = 0,
                      .first = i * width,
                      .count = width,
                      .stride = 1,
                      .weights = {}});
  }
  return result;
}

/// ⟨dQ, Q⟩ = ⟨dK, K⟩, both the derivative by a common factor of the scores.
std::vector<Identity> one_factor(const GradientValues& at) {
  if (scheme(at.instance.attributes.scheme).rows != RowNorm::none) return {};
  return {{.name = "⟨dQ, Q⟩ = ⟨dK, K⟩",
           .input = 0,
           .first = 0,
           .count = at.gradients[0].size(),
           .stride = 1,
           .weights = at.inputs[0],
           .minus = 1,
           .minus_weights = at.inputs[1]}};
}

Operation rowwise(std::string name, std::string statement, std::string latex,
                  std::string derivation) {
  Operation result{.name = name,
                   .op = name,
                   .statement = std::move(statement),
                   .latex = std::move(latex),
                   .derivation = std::move(derivation),
                   .domain = base(4, 7),
                   .instance = nullptr};
  result.instance = [](const Configuration& c) {
    const Shape s = shape(c, "n", "d");
    return Instance{
        .attributes = {},
        .inputs = {{.name = "z", .shape = s, .saturating = kLogits, .offset = kFarMean}},
        .outputs = {s}};
  };
  return result;
}

Operation linear() {
  return {
      .name = "linear",
      .op = "linear",
      .statement = "The backward pass of y = xW + b gives dx, dW and db, summed over the batch",
      .latex = R"(dx = dy\,W^\top,\quad dW = x^\top dy,\quad db = \textstyle\sum dy)",
      .derivation =
          "y is linear in each factor, so that the gradient by one factor is the "
          "cotangent times the other one, transposed.",
      .domain = base(5, 6).integer("n_out", 1, 5).integer("bias", 0, 1),
      .instance = [](const Configuration& c) {
        const std::int64_t out = c.integer("n_out");
        Instance result{
            .attributes = {},
            .inputs = {{.name = "x", .shape = shape(c, "n", "d")},
                       {.name = "W", .shape = square(c.integer("d"), out), .draw = Draw::weights}},
            .outputs = {shape(c, "n", "n_out")}};
        if (c.integer("bias") == 1) {
          result.inputs.push_back({.name = "b", .shape = row(out), .draw = Draw::shift});
        }
        return result;
      }};
}

Operation norm(bool layer) {
  return {
      .name = layer ? "layer_norm" : "rms_norm",
      .op = layer ? "layer_norm" : "rms_norm",
      .statement = layer ? "The backward pass of LayerNorm gives dx, dγ and dβ"
                         : "The backward pass of RMSNorm gives dx and dγ",
      .latex = layer ? R"(dx = r\,(g - \bar g - \hat x\,\overline{g\hat x}),\ g=\gamma\,dy)"
                     : R"(dx = r\,(g - \hat x\,\overline{g\hat x}),\ g=\gamma\,dy)",
      .derivation =
          "The statistics of a row depend on all its entries: their derivatives take "
          "out of γ dy its component along the normalised row (and its mean).",
      .domain = base(4, 7).choice("epsilon", {"0.001", "1e-05"}),
      .instance =
          [layer](const Configuration& c) {
            const Shape s = shape(c, "n", "d");
            Instance result{.attributes = {.epsilon = std::stod(c.text("epsilon"))},
                            .inputs = {{.name = "x", .shape = s, .offset = kFarMean},
                                       {.name = "gamma", .shape = row(s[3]), .draw = Draw::gain}},
                            .outputs = {s}};
            if (layer) {
              result.inputs.push_back({.name = "beta", .shape = row(s[3]), .draw = Draw::shift});
            }
            return result;
          },
      .identities = layer ? row_sums : nullptr};
}

Operation activation_operation(const NamedActivation& f) {
  Operation result = rowwise(
      std::string(f.name),
      "The backward pass of " + std::string(f.name) + " multiplies the cotangent by the slope",
      R"(dx = dy \odot f'(x))",
      "Each output depends on one input alone: the Jacobian is diagonal.");
  // Entrywise: a few entries tell all, and erfc is slow at 50 digits.
  result.domain = base(2, 3);
  result.kinked =
      f.kind == Activation::relu || f.kind == Activation::leaky_relu || f.kind == Activation::selu;
  result.instance = [kind = f.kind](const Configuration& c) {
    const Shape s = shape(c, "n", "d");
    // A slope that is neither 0 nor 1, nor a power of two.
    return Instance{.attributes = {.slope = kind == Activation::leaky_relu ? 0.3 : 0},
                    .inputs = {{.name = "x", .shape = s, .saturating = kLogits}},
                    .outputs = {s}};
  };
  return result;
}

Operation residual() {
  return {
      .name = "residual",
      .op = "residual",
      .statement = "The backward pass of y = x + g·branch passes dy on and g·dy into the branch",
      .latex = R"(dx = dy,\quad d\,\mathrm{branch} = g\,dy)",
      .derivation = "The sum is linear in both terms.",
      .domain = base(4, 6).real("gain", 0.125, 2, 0.125),
      .instance = [](const Configuration& c) {
        const Shape s = shape(c, "n", "d");
        return Instance{.attributes = {.gain = c.real("gain")},
                        .inputs = {{.name = "x", .shape = s}, {.name = "branch", .shape = s}},
                        .outputs = {s}};
      }};
}

Domain attention_domain() {
  return base(4, 5)
      .integer("m", 1, 5)
      .integer("d_v", 1, 4)
      .integer("heads", 1, 3)
      .integer("layer", 0, 3)
      .integer("causal", 0, 1)
      .integer("padding", 0, 1)
      .choice("epsilon", {"0.001", "1e-05"});
}

/// Adds the scheme's parameters.
void add_scheme(Instance& instance, std::string_view scheme_name) {
  const auto parameters = scheme(scheme_name).parameters;
  if (parameters.empty()) return;
  instance.inputs.push_back({.name = "parameters",
                             .shape = row(static_cast<std::int64_t>(parameters.size())),
                             .draw = Draw::parameters,
                             .parameters = parameters});
}

Attributes attention_attributes(const Configuration& c, std::string_view scheme_name) {
  return {.scheme = scheme_name,
          .heads = c.integer("heads"),
          .layer = c.integer("layer"),
          .causal = c.integer("causal") == 1,
          .epsilon = std::stod(c.text("epsilon"))};
}

Instance attention_instance(const Configuration& c, std::string_view scheme_name, bool values) {
  const Shape q{c.integer("batch"), c.integer("heads"), c.integer("n"), c.integer("d")};
  Shape k = q;
  k[2] = c.integer("m");
  Shape s = q;
  s[3] = values ? c.integer("d_v") : k[2];
  Instance result{.attributes = attention_attributes(c, scheme_name),
                  .inputs = {{.name = "Q", .shape = q, .saturating = kFactor},
                             {.name = "K", .shape = k, .saturating = kFactor}},
                  .outputs = {s}};
  if (values) {
    Shape v = k;
    v[3] = s[3];
    result.inputs.push_back({.name = "V", .shape = v});
    if (c.integer("padding") == 1) result.padded_keys = k[2];
  }
  add_scheme(result, scheme_name);
  return result;
}

/// Of attention, or of its scores alone, with the scheme as one more field of the configuration.
Operation with_scheme(std::string name, bool values) {
  // Integers are drawn for each configuration, while choices take turns.
  const auto last = static_cast<std::int64_t>(all_schemes().size()) - 1;
  return {.name = name,
          .op = name,
          .statement = values ? "The backward pass of attention gives dQ, dK, dV and the "
                                "gradients of the scheme's parameters, for every scheme and mask"
                              : "The backward pass of the scores gives dQ, dK and the gradients of "
                                "the scheme's parameters, for every scheme",
          .latex = values ? R"(dS = P\odot(dP - (dP\odot P)\mathbf 1),\ dP = dO\,V^\top)"
                          : R"(dQ = s\,dS\,K,\quad dK = s\,dS^\top Q)",
          .derivation =
              "Chain rule through product, softmax and scores; a masked position has a "
              "probability of exactly 0 and so passes nothing on.",
          .domain = attention_domain().integer("scheme", 0, last),
          .instance =
              [values](const Configuration& c) {
                const auto at = static_cast<std::size_t>(c.integer("scheme"));
                return attention_instance(c, all_schemes()[at].name, values);
              },
          .identities = one_factor};
}

Operand projection(std::string_view name, std::int64_t rows, std::int64_t cols) {
  return {.name = name, .shape = square(rows, cols), .draw = Draw::weights, .saturating = 2};
}

Operation multi_head() {
  return {
      .name = "multi_head",
      .op = "multi_head",
      .statement =
          "The backward pass of multi-head attention gives the gradients of both "
          "inputs and of the four projections",
      .latex = R"(dW_Q = \textstyle\sum x^\top dQ,\ dW_K = \sum c^\top dK,\ dW_O = \sum O^\top dy)",
      .derivation =
          "Each head owns a block of columns of the projections; a batch shares them, "
          "so that their gradients are sums over heads' blocks and batch.",
      .domain = attention_domain()
                    .integer("d_context", 1, 5)
                    .integer("scheme", 0, static_cast<std::int64_t>(all_schemes().size()) - 1),
      .instance = [](const Configuration& c) {
        const auto at = static_cast<std::size_t>(c.integer("scheme"));
        const std::int64_t heads = c.integer("heads");
        const std::int64_t d_k = 1 + c.integer("d") / 2;
        const std::int64_t d_c = c.integer("d_context");
        Instance result{
            .attributes = attention_attributes(c, all_schemes()[at].name),
            .inputs = {{.name = "x", .shape = shape(c, "n", "d"), .saturating = 3},
                       {.name = "context", .shape = shape(c, "m", "d_context"), .saturating = 3},
                       projection("W_Q", c.integer("d"), heads * d_k),
                       projection("W_K", d_c, heads * d_k),
                       projection("W_V", d_c, heads * c.integer("d_v")),
                       projection("W_O", heads * c.integer("d_v"), 3)},
            .outputs = {{c.integer("batch"), 1, c.integer("n"), 3}}};
        if (c.integer("padding") == 1) result.padded_keys = c.integer("m");
        add_scheme(result, all_schemes()[at].name);
        return result;
      }};
}

Operation block(std::string name) {
  return {.name = name,
          .op = name,
          .statement = "The backward pass of a transformer block (" + name +
                       ") gives the gradients of the input and of every weight",
          .latex = R"(h = x + A(N_1(x)),\ y = h + F(N_2(h)))",
          .derivation =
              "The cotangent passes the identity path unchanged and adds what comes "
              "through each branch.",
          .domain = attention_domain().integer("scheme", 0,
                                               static_cast<std::int64_t>(all_schemes().size()) - 1),
          .instance = [](const Configuration& c) {
            const auto at = static_cast<std::size_t>(c.integer("scheme"));
            const std::int64_t heads = c.integer("heads");
            const std::int64_t d = 1 + c.integer("d");
            const std::int64_t d_k = 1 + c.integer("m") / 2;
            const std::int64_t d_v = 1 + c.integer("d_v") / 2;
            const std::int64_t hidden = 2 + c.integer("d_v");
            const Shape s{c.integer("batch"), 1, c.integer("n"), d};
            Instance result{.attributes = attention_attributes(c, all_schemes()[at].name),
                            .inputs = {{.name = "x", .shape = s, .saturating = 3},
                                       {.name = "gamma_1", .shape = row(d), .draw = Draw::gain},
                                       projection("W_Q", d, heads * d_k),
                                       projection("W_K", d, heads * d_k),
                                       projection("W_V", d, heads * d_v),
                                       projection("W_O", heads * d_v, d),
                                       {.name = "gamma_2", .shape = row(d), .draw = Draw::gain},
                                       projection("W_in", d, hidden),
                                       projection("W_out", hidden, d)},
                            .outputs = {s}};
            if (c.integer("padding") == 1) result.padded_keys = c.integer("n");
            add_scheme(result, all_schemes()[at].name);
            return result;
          }};
}

Operation cross_entropy() {
  Operation result = rowwise(
      "cross_entropy", "The backward pass of the mean cross entropy is (p − onehot)/n",
      R"(dz = (p - e_{\mathrm{label}})\,d\ell/n)",
      "The derivative of ln Σ exp z is p; at the label p − 1 is minus the other probabilities.");
  result.instance = [](const Configuration& c) {
    const Shape s = shape(c, "n", "d");
    return Instance{
        .attributes = {},
        .inputs = {{.name = "z", .shape = s, .saturating = kLogits, .offset = kFarMean}},
        .outputs = {{s[0], 1, 1, 1}},
        .classes = s[3]};
  };
  result.identities = row_sums;
  return result;
}

}  // namespace

std::vector<std::string> data_kinds() {
  return {"gaussian", "saturated", "heavy_tailed", "duplicate_rows", "scaled",       "shifted",
          "zeros",    "rank_one",  "huge_feature", "near_ties",      "constant_rows"};
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> result{linear(), norm(false), norm(true), residual(), cross_entropy()};
    Operation softmax = rowwise(
        "softmax", "The backward pass of softmax is p ⊙ (dp − Σ p dp)",
        R"(dz = p\odot(dp - \langle p, dp\rangle))",
        "The Jacobian is diag(p) − ppᵀ; it is symmetric and annihilates the vector of ones.");
    softmax.identities = row_sums;
    result.push_back(std::move(softmax));
    Operation log_softmax =
        rowwise("log_softmax", "The backward pass of log-softmax is dy − p Σ dy",
                R"(dz = dy - p\,\textstyle\sum dy)", "The Jacobian is I − 1pᵀ.");
    log_softmax.identities = row_sums;
    result.push_back(std::move(log_softmax));
    for (const NamedActivation& f : activations()) result.push_back(activation_operation(f));
    result.push_back(with_scheme("scores", false));
    result.push_back(with_scheme("attention", true));
    result.push_back(multi_head());
    result.push_back(block("prenorm_block"));
    result.push_back(block("postnorm_block"));
    return result;
  }();
  return all;
}

const std::vector<Operation>& scheme_operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> result;
    for (const SchemeFacts& facts : all_schemes()) {
      Operation op = with_scheme("attention", true);
      op.name = std::string(facts.name);
      op.statement = "Attention with the scheme " + op.name +
                     ": the backward pass gives dQ, dK, dV and the gradient of every parameter";
      op.domain = attention_domain();
      op.instance = [name = facts.name](const Configuration& c) {
        return attention_instance(c, name, true);
      };
      result.push_back(std::move(op));
    }
    return result;
  }();
  return all;
}

}  // namespace rootdk
