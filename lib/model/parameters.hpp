#pragma once

#include <rootdk/lib/init/rules.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// What a weight matrix does in a transformer; its initialisation follows from that, never from its
/// name or from how it is stored.
enum class Role : std::uint8_t {
  token_embedding,
  query,
  key,
  value,
  attention_output,
  mlp_in,
  mlp_out,
  head
};

struct NamedRole {
  Role role;
  std::string_view name;
  bool in_block;  ///< once a layer, rather than once a model
};
std::span<const NamedRole> roles();
/// @throws std::invalid_argument if there is none, naming it
Role role_named(std::string_view name);

struct ModelShape {
  std::int64_t layers = 1;  ///< N blocks, 2N residual additions
  std::int64_t d_model = 1;
  std::int64_t heads = 1;
  std::int64_t vocabulary = 1;
};

/// One weight matrix of a built model.
struct Parameter {
  std::string name;  ///< "block3.query": the address of its random stream
  Role role;
  std::int64_t layer;
  std::int64_t rows, cols;  ///< [fan_in, fan_out], the whole matrix however it is packed or sharded
  std::string_view initialiser;
  InitSettings settings;
};

/// One parameter of a model.
///
/// | recipe   | query, key | value       | attention_output | mlp_in, mlp_out  | head      |
/// |----------|------------|-------------|------------------|------------------|-----------|
/// | gpt2     | 0.02       | 0.02        | 0.02/√(2N)       | 0.02, 0.02/√(2N) | 0.02      |
/// | glorot   | Glorot     | Glorot      | Glorot           | Glorot           | 1/√d      |
/// | deepnorm | Glorot     | β Glorot    | β Glorot         | β Glorot         | 1/√d      |
///
/// All normal; β = (8N)^−¼; embeddings have 0.02. The fans are those of the role's own matrix: the
/// query's is (d_model, d_model) also where query, key and value lie in one matrix.
///
/// @throws std::invalid_argument for an unknown recipe, or a layer that does not exist
/// @source Radford et al. 2019 (gpt2); Wang et al., "DeepNet", 2022 (deepnorm)
Parameter model_parameter(std::string_view recipe, const ModelShape& shape, Role role,
                          std::int64_t layer);

/// All parameters of a model, in the order of the forward pass.
std::vector<Parameter> model_parameters(std::string_view recipe, const ModelShape& shape);

}  // namespace rootdk
