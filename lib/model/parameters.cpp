#include <rootdk/lib/model/parameters.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace rootdk {
namespace {

constexpr std::array kRoles{
    NamedRole{Role::token_embedding, "token_embedding", false},
    NamedRole{Role::query, "query", true},
    NamedRole{Role::key, "key", true},
    NamedRole{Role::value, "value", true},
    NamedRole{Role::attention_output, "attention_output", true},
    NamedRole{Role::mlp_in, "mlp_in", true},
    NamedRole{Role::mlp_out, "mlp_out", true},
    NamedRole{Role::head, "head", false},
};

// Width of the feed-forward layer over that of the model.
constexpr std::int64_t kMlpFactor = 4;

const NamedRole& facts(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

void set_shape(Parameter& p, const ModelShape& shape) {
  p.rows = p.cols = shape.d_model;
  if (p.role == Role::token_embedding) p.rows = shape.vocabulary;
  if (p.role == Role::head) p.cols = shape.vocabulary;
  if (p.role == Role::mlp_in) p.cols *= kMlpFactor;
  if (p.role == Role::mlp_out) p.rows *= kMlpFactor;
}

void set_rule(Parameter& p, std::string_view recipe) {
  const bool residual = p.role == Role::attention_output || p.role == Role::mlp_out;
  if (recipe == "gpt2" || p.role == Role::token_embedding) {
    p.initialiser = recipe == "gpt2" && residual ? "gpt2_residual" : "gpt2";
  } else if (recipe == "glorot" || recipe == "deepnorm") {
    p.initialiser = p.role == Role::head ? "lecun_normal" : "glorot_normal";
    const bool damped = p.role == Role::value || residual || p.role == Role::mlp_in;
    if (recipe == "deepnorm" && damped) p.settings.gain = std::pow(8 * p.settings.branches, -0.25);
  } else {
    throw std::invalid_argument(fmt::format("model_parameter: there is no recipe '{}'", recipe));
  }
}

}  // namespace

std::span<const NamedRole> roles() { return kRoles; }

Role role_named(std::string_view name) {
  const auto found = std::ranges::find(kRoles, name, &NamedRole::name);
  if (found == kRoles.end()) {
    throw std::invalid_argument(fmt::format("role: there is no '{}'", name));
  }
  return found->role;
}

Parameter model_parameter(std::string_view recipe, const ModelShape& shape, Role role,
                          std::int64_t layer) {
  const std::int64_t layers = facts(role).in_block ? shape.layers : 1;
  if (layer < 0 || layer >= layers) {
    throw std::invalid_argument(fmt::format(
        "model_parameter: layer {} of {}, of which there are {}", layer, facts(role).name, layers));
  }
  Parameter p{.name = facts(role).in_block ? fmt::format("block{}.{}", layer, facts(role).name)
                                           : std::string(facts(role).name),
              .role = role,
              .layer = layer,
              .rows = 0,
              .cols = 0,
              .initialiser = {},
              .settings = {}};
  set_shape(p, shape);
  p.settings.fan_in = static_cast<double>(p.rows);
  p.settings.fan_out = static_cast<double>(p.cols);
  p.settings.d_k = static_cast<double>(shape.d_model) / static_cast<double>(shape.heads);
  p.settings.branches = static_cast<double>(shape.layers);
  set_rule(p, recipe);
  return p;
}

std::vector<Parameter> model_parameters(std::string_view recipe, const ModelShape& shape) {
  std::vector<Parameter> result{model_parameter(recipe, shape, Role::token_embedding, 0)};
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    for (const NamedRole& role : kRoles) {
      if (role.in_block) result.push_back(model_parameter(recipe, shape, role.role, layer));
    }
  }
  result.push_back(model_parameter(recipe, shape, Role::head, 0));
  return result;
}

}  // namespace rootdk
