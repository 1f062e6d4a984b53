#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rootdk {

/// Scalars of a tensor. r50 has 50 decimal digits, d50 is its dual number; e64 is a double that carries
/// its running error bound, d64 one that carries a derivative. These four live in this process only.
enum class Dtype : std::uint8_t { f64, f32, f16, bf16, r50, d50, e64, d64 };

std::string_view name(Dtype dtype);
/// @throws std::invalid_argument if there is none of that name
Dtype dtype_named(std::string_view name);
/// Size of one scalar, in bytes.
std::size_t size_of(Dtype dtype);
/// Unit roundoff: 2^−53, 2^−24, 2^−11, 2^−8; 2^−168 for 50 digits, 2^−53 for e64 and d64.
double unit_roundoff(Dtype dtype);

/// A borrowed array of up to four dimensions: [batch, heads, rows, columns], the unused leading
/// ones
/// 1. Strides are counted in scalars.
struct Tensor {
  void* data = nullptr;
  Dtype dtype = Dtype::f64;
  std::array<std::int64_t, 4> shape{1, 1, 0, 0};
  std::array<std::int64_t, 4> stride{};

  std::int64_t rows() const { return shape[2]; }
  std::int64_t cols() const { return shape[3]; }
  std::int64_t size() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
};

/// What an operation depends on and what is not differentiated. An operation reads the fields that
/// concern it.
struct Attributes {
  std::string_view scheme = "sqrt_dk";            ///< scores, attention
  std::string_view initialiser = "lecun_normal";  ///< init
  std::int64_t heads = 1;
  std::int64_t layer = 0;
  std::int64_t d_model = 0;  ///< 0: heads · d_k
  bool causal = false;
  std::span<const std::int64_t> key_lengths{};  ///< one an element of the batch; empty: no padding
  std::span<const std::int64_t> labels{};       ///< cross entropy: class of each row
  double epsilon = 0;
  double slope = 0;     ///< leaky ReLU, He rules
  double gain = 1;      ///< init; residual: factor of the branch
  double fan_in = 0;    ///< init; 0: rows of the matrix
  double fan_out = 0;   ///< init; 0: columns of the matrix
  double d_k = 1;       ///< init
  double branches = 1;  ///< init
  std::uint64_t seed = 0;
  std::string_view activation = "relu";    ///< activation_gain
  std::string_view recipe = "gpt2";        ///< init_parameter
  std::string_view role = "query";         ///< init_parameter
  std::int64_t vocabulary = 1;             ///< init_parameter
  std::int64_t shards = 1;                 ///< init_parameter: parts into which rows are split
  std::int64_t shard = 0;                  ///< init_parameter: which of them
  std::span<const std::uint64_t> words{};  ///< transforms: what the generator gave
};

enum class Pass : std::uint8_t { forward, backward };

/// forward: in = the operation's inputs, out = its outputs. backward: in = the inputs, then a
/// cotangent an output; out = a gradient an input. A kernel overwrites its outputs.
using Kernel =
    std::function<void(const Attributes&, std::span<const Tensor> in, std::span<const Tensor> out)>;

struct Key {
  std::string op;
  Pass pass = Pass::forward;
  Dtype dtype = Dtype::f64;
  auto operator<=>(const Key&) const = default;
};

/// Thrown by a kernel that cannot do what is asked, and says so: the claim is not applicable there.
struct NotApplicable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The operations under test. The library is the default subject; a planted defect is the library
/// with one kernel wrapped; a user's implementation is a subject with the kernels that it has.
class Subject {
 public:
  explicit Subject(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  void rename(std::string name) { name_ = std::move(name); }
  const std::map<Key, Kernel>& kernels() const { return kernels_; }

  void set(Key key, Kernel kernel) { kernels_[std::move(key)] = std::move(kernel); }
  bool has(const Key& key) const { return kernels_.contains(key); }

  /// Runs the kernel for the dtype of the first output.
  ///
  /// @throws NotApplicable if the subject has no such kernel, naming it
  void call(std::string_view op, Pass pass, const Attributes& attributes,
            std::span<const Tensor> in, std::span<const Tensor> out) const;

  /// A subject of that name in which the kernels of (op, pass) are wrapped, in every dtype.
  Subject with(std::string name, std::string_view op, Pass pass,
               const std::function<Kernel(Kernel)>& wrap) const;

  /// The operations that `with` has wrapped: all others are those of the subject it began with.
  const std::set<std::pair<std::string, Pass>>& wrapped() const { return wrapped_; }

 private:
  std::string name_;
  std::set<std::pair<std::string, Pass>> wrapped_;
  std::map<Key, Kernel> kernels_;
};

/// The library's kernels.
///
/// | op            | inputs                      | outputs | attributes                         |
/// |---------------|-----------------------------|---------|------------------------------------|
/// | init          |                             | w       | initialiser, fans, gain, seed, …   |
/// | init_parameter |                            | w       | recipe, role, layer, branches, …   |
/// | activation_gain |                           | g       | activation, slope                  |
/// | uniform_transform, normal_transform, truncated_transform | | v [1, words] | words          |
/// | linear        | x, w, (b)                   | y       |                                    |
/// | softmax       | z                           | p       |                                    |
/// | log_softmax   | z                           | y       |                                    |
/// | cross_entropy | z                           | loss    | labels                             |
/// | rms_norm      | x, γ                        | y       | epsilon                            |
/// | layer_norm    | x, γ, β                     | y       | epsilon                            |
/// | relu, …       | x                           | y       | slope                              |
/// | residual      | x, branch                   | y       | gain                               |
/// | scores        | q, k, parameters            | s       | scheme, layer, d_model, epsilon, … |
/// | attention     | q, k, v, parameters         | o       | the same and the mask              |
/// | multi_head    | x, context, W_Q, W_K, W_V,  | y       | the same, heads                    |
/// |               | W_O, parameters             |         |                                    |
/// | prenorm_block | x, γ₁, W_Q, W_K, W_V, W_O,  | y       | the same                           |
/// | postnorm_block| γ₂, W_in, W_out, parameters |         |                                    |
///
/// A batch shares its weights, whose gradients are summed. The loss is one number a matrix.
/// The parameters of a scheme are one tensor [1, count], absent where there are none. `init` has no
/// backward pass.
Subject library();

// In-place changes of a tensor of any dtype, for defects and tests.

void multiply(const Tensor& tensor, double factor);
/// target ← target + factor · source, of the same shape.
void add_scaled(const Tensor& target, double factor, const Tensor& source);
void copy(const Tensor& target, const Tensor& source);
void fill(const Tensor& tensor, double value);
double element(const Tensor& tensor, std::int64_t i, std::int64_t j);
void set_element(const Tensor& tensor, std::int64_t i, std::int64_t j, double value);
/// One matrix [rows, columns] of a tensor.
Tensor matrix(const Tensor& tensor, std::int64_t batch, std::int64_t head);

}  // namespace rootdk
