#include <rootdk/properties/subjects/protocol.hpp>

#include <cstring>
#include <utility>

namespace rootdk::protocol {
namespace {

using Json = nlohmann::json;

/// f(pointer, bytes) for each row of the tensor, in order.
template <class F>
void for_each_row(const Tensor& t, F&& f) {
  const std::size_t scalar = size_of(t.dtype);
  auto* data = static_cast<std::byte*>(t.data);
  for (std::int64_t b = 0; b < t.shape[0]; ++b) {
    for (std::int64_t h = 0; h < t.shape[1]; ++h) {
      for (std::int64_t i = 0; i < t.shape[2]; ++i) {
        const std::int64_t offset = b * t.stride[0] + h * t.stride[1] + i * t.stride[2];
        f(data + static_cast<std::size_t>(offset) * scalar,
          static_cast<std::size_t>(t.shape[3]) * scalar);
      }
    }
  }
}

}  // namespace

std::string_view name(Pass pass) { return pass == Pass::forward ? "forward" : "backward"; }

Json to_json(const Attributes& attributes) {
  // All fields by position: a new one does not compile until it is sent.
  const auto& [scheme, initialiser, heads, layer, d_model, causal, key_lengths, labels, epsilon,
               slope, gain, fan_in, fan_out, d_k, branches, seed, activation, recipe, role,
               vocabulary, shards, shard, words] = attributes;
  return {{"scheme", scheme},
          {"initialiser", initialiser},
          {"heads", heads},
          {"layer", layer},
          {"d_model", d_model},
          {"causal", causal},
          {"key_lengths", std::vector<std::int64_t>(key_lengths.begin(), key_lengths.end())},
          {"labels", std::vector<std::int64_t>(labels.begin(), labels.end())},
          {"epsilon", epsilon},
          {"slope", slope},
          {"gain", gain},
          {"fan_in", fan_in},
          {"fan_out", fan_out},
          {"d_k", d_k},
          {"branches", branches},
          {"seed", seed},
          {"activation", activation},
          {"recipe", recipe},
          {"role", role},
          {"vocabulary", vocabulary},
          {"shards", shards},
          {"shard", shard},
          {"words", std::vector<std::uint64_t>(words.begin(), words.end())}};
}

ReceivedAttributes attributes_from(Json json) {
  ReceivedAttributes result{.json = std::move(json), .key_lengths = {}, .labels = {}, .words = {}};
  result.key_lengths = result.json.at("key_lengths").get<std::vector<std::int64_t>>();
  result.labels = result.json.at("labels").get<std::vector<std::int64_t>>();
  result.words = result.json.at("words").get<std::vector<std::uint64_t>>();
  return result;
}

Attributes ReceivedAttributes::view() const {
  Attributes a;
  a.scheme = json.at("scheme").get_ref<const std::string&>();
  a.initialiser = json.at("initialiser").get_ref<const std::string&>();
  a.heads = json.at("heads");
  a.layer = json.at("layer");
  a.d_model = json.at("d_model");
  a.causal = json.at("causal");
  a.key_lengths = key_lengths;
  a.labels = labels;
  a.epsilon = json.at("epsilon");
  a.slope = json.at("slope");
  a.gain = json.at("gain");
  a.fan_in = json.at("fan_in");
  a.fan_out = json.at("fan_out");
  a.d_k = json.at("d_k");
  a.branches = json.at("branches");
  a.seed = json.at("seed");
  a.activation = json.at("activation").get_ref<const std::string&>();
  a.recipe = json.at("recipe").get_ref<const std::string&>();
  a.role = json.at("role").get_ref<const std::string&>();
  a.vocabulary = json.at("vocabulary");
  a.shards = json.at("shards");
  a.shard = json.at("shard");
  a.words = words;
  return a;
}

Json layouts(std::span<const Tensor> tensors) {
  Json result = Json::array();
  for (const Tensor& tensor : tensors) {
    result.push_back({{"dtype", rootdk::name(tensor.dtype)}, {"shape", tensor.shape}});
  }
  return result;
}

std::size_t byte_count(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.size()) * size_of(tensor.dtype);
}

void append_bytes(std::vector<std::byte>& bytes, const Tensor& tensor) {
  for_each_row(tensor, [&](std::byte* row, std::size_t count) {
    bytes.insert(bytes.end(), row, row + count);
  });
}

void from_bytes(std::span<const std::byte> bytes, const Tensor& tensor) {
  std::size_t at = 0;
  for_each_row(tensor, [&](std::byte* row, std::size_t count) {
    std::memcpy(row, bytes.data() + at, count);
    at += count;
  });
}

}  // namespace rootdk::protocol
