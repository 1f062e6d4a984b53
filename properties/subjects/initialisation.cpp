#include <rootdk/lib/init/gain.hpp>
#include <rootdk/lib/model/parameters.hpp>
#include <rootdk/lib/random/draws.hpp>
#include <rootdk/lib/random/transforms.hpp>
#include <rootdk/properties/subjects/initialisation.hpp>
#include <rootdk/properties/subjects/kernels.hpp>

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace rootdk {
namespace {

using kernels::Tensors;

int significand_bits(Dtype dtype) {
  constexpr std::array<int, 4> bits{53, 24, 11, 8};
  return bits.at(static_cast<std::size_t>(dtype));
}

void gain_forward(const Attributes& a, Tensors, Tensors out) {
  set_element(out[0], 0, 0, activation_gain(activation_named(a.activation), a.slope));
}

/// A kernel that makes value j of its output of word j.
template <class Transform>
Kernel of_words(Transform transform) {
  return [transform](const Attributes& a, Tensors, Tensors out) {
    const int digits = significand_bits(out[0].dtype);
    for (std::size_t j = 0; j < a.words.size(); ++j) {
      set_element(out[0], 0, static_cast<std::int64_t>(j), transform(a.words[j], digits));
    }
  };
}

template <class T>
void draw(const Attributes& a, const Parameter& parameter, MatrixRef<T> w) {
  if (w.cols() != parameter.cols || w.rows() * a.shards != parameter.rows) {
    throw std::invalid_argument(fmt::format("init_parameter: {} is {} × {}, asked for {} × {}",
                                            parameter.name, parameter.rows, parameter.cols,
                                            w.rows() * a.shards, w.cols()));
  }
  // A shard is a draw of its own, of the law that the whole matrix has.
  Stream stream(Address{
      .seed = a.seed, .block = static_cast<std::uint64_t>(a.shard), .role = hash(parameter.name)});
  initialise<T>(initialiser(parameter.initialiser), parameter.settings, stream, w);
}

template <class T>
void parameter_forward(const Attributes& a, Tensors, Tensors out) {
  const ModelShape shape{.layers = static_cast<std::int64_t>(a.branches),
                         .d_model = a.d_model,
                         .heads = a.heads,
                         .vocabulary = a.vocabulary};
  auto w = kernels::view<T>(out[0]);
  if (a.role != "packed_qkv") {
    return draw<T>(a, model_parameter(a.recipe, shape, role_named(a.role), a.layer), w);
  }
  Eigen::Index column = 0;
  for (const Role part : {Role::query, Role::key, Role::value}) {
    draw<T>(a, model_parameter(a.recipe, shape, part, a.layer),
            w.middleCols(column, shape.d_model));
    column += shape.d_model;
  }
}

}  // namespace

void add_initialisation(Subject& subject) {
  subject.set({"init_parameter", Pass::forward, Dtype::f64}, parameter_forward<double>);
  subject.set({"init_parameter", Pass::forward, Dtype::f32}, parameter_forward<float>);
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
    subject.set({"activation_gain", Pass::forward, dtype}, gain_forward);
    subject.set({"uniform_transform", Pass::forward, dtype}, of_words(uniform_from_word));
    subject.set({"normal_transform", Pass::forward, dtype}, of_words(normal_from_word));
    subject.set({"truncated_transform", Pass::forward, dtype},
                of_words([](std::uint64_t word, int digits) {
                  return truncated_normal_from_word(word, digits, kTruncation);
                }));
  }
}

}  // namespace rootdk
