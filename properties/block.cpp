#include <rootdk/lib/random/draws.hpp>
#include <rootdk/properties/block.hpp>
#include <rootdk/properties/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace rootdk {
namespace {

constexpr std::array kStandardLaws{
    StandardLaw{"normal", 3, 15, 105},
    StandardLaw{"uniform", 9.0 / 5, 27.0 / 7, 9},
    StandardLaw{"two_point", 1, 1, 1},
    StandardLaw{"three_point", 2, 4, 8},
};

std::span<double> doubles(const Tensor& tensor) {
  return {static_cast<double*>(tensor.data), static_cast<std::size_t>(tensor.size())};
}

void fill_points(Stream& stream, std::span<double> out, bool with_zero, double sd) {
  const double step = with_zero ? std::numbers::sqrt2 * sd : sd;
  std::uint64_t bits = 0;
  int left = 0;
  for (double& value : out) {
    if (left == 0) {
      bits = stream();
      left = 32;
    }
    const double sign = (bits & 1U) != 0 ? step : -step;
    value = with_zero && (bits & 2U) != 0 ? 0.0 : sign;
    bits >>= 2U;
    --left;
  }
}

}  // namespace

std::span<const StandardLaw> standard_laws() { return kStandardLaws; }

const StandardLaw& standard_law(std::string_view name) {
  const auto found = std::ranges::find(kStandardLaws, name, &StandardLaw::name);
  if (found == kStandardLaws.end()) {
    throw std::invalid_argument(fmt::format("standard_law: there is no '{}'", name));
  }
  return *found;
}

std::vector<std::string> standard_law_names() {
  std::vector<std::string> names;
  for (const StandardLaw& law : kStandardLaws) names.emplace_back(law.name);
  return names;
}

Block::Block(const Configuration& configuration, const Subject& subject, Address address,
             Dtype dtype, std::span<const std::string_view> checks, Workspace& workspace,
             std::vector<CheckEvidence>& evidence, bool first)
    : configuration_(configuration),
      subject_(subject),
      address_(address),
      dtype_(dtype),
      checks_(checks),
      workspace_(workspace),
      evidence_(evidence),
      first_(first) {
  workspace_.clear();
}

Tensor Block::tensor(std::array<std::int64_t, 4> s, std::optional<Dtype> dtype) {
  Tensor result{.dtype = dtype.value_or(dtype_),
                .shape = s,
                .stride = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1}};
  const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(result.size()));
  result.data = workspace_.allocate(count * size_of(result.dtype));
  return result;
}

Tensor Block::matrix(std::int64_t rows, std::int64_t cols, std::optional<Dtype> dtype) {
  return tensor({1, 1, rows, cols}, dtype);
}

Tensor Block::converted(const Tensor& wide, std::optional<Dtype> dtype) {
  if (dtype.value_or(dtype_) == Dtype::f64) return wide;
  const Tensor result = tensor(wide.shape, dtype);
  visit_dtype(result.dtype, [&]<class T>(T) {
    std::ranges::transform(doubles(wide), static_cast<T*>(result.data),
                           [](double value) { return static_cast<T>(value); });
  });
  return result;
}

Tensor Block::normal(std::string_view role, std::int64_t rows, std::int64_t cols, double sd,
                     std::optional<Dtype> dtype) {
  return normal(role, {1, 1, rows, cols}, sd, dtype);
}

Tensor Block::normal(std::string_view role, std::array<std::int64_t, 4> shape, double sd,
                     std::optional<Dtype> dtype) {
  const Tensor wide = tensor(shape, Dtype::f64);
  Stream source = stream(role);
  fill_normal<double>(source, doubles(wide), 0, sd);
  return converted(wide, dtype);
}

Tensor Block::draw(std::string_view role, std::string_view law, std::int64_t rows,
                   std::int64_t cols, double sd, std::optional<Dtype> dtype) {
  if (law == "normal") return normal(role, rows, cols, sd, dtype);
  const Tensor wide = matrix(rows, cols, Dtype::f64);
  Stream source = stream(role);
  if (law == "uniform") {
    fill_uniform<double>(source, doubles(wide), std::numbers::sqrt3 * sd);
  } else {
    fill_points(source, doubles(wide), standard_law(law).name == "three_point", sd);
  }
  return converted(wide, dtype);
}

Tensor Block::row(std::span<const double> values, std::optional<Dtype> dtype) {
  const Tensor result = matrix(1, static_cast<std::int64_t>(values.size()), dtype);
  for (std::size_t j = 0; j < values.size(); ++j) {
    set_element(result, 0, static_cast<std::int64_t>(j), values[j]);
  }
  return result;
}

Stream Block::stream(std::string_view role) const {
  Address address = address_;
  address.role = hash(role);
  return Stream(address);
}

std::uint64_t Block::seed(std::string_view role) const { return stream(role)(); }

std::span<const double> Block::values(const Tensor& t) {
  const bool adjacent = t.stride[3] == 1 && t.stride[2] == t.shape[3] &&
                        t.stride[1] == t.shape[2] * t.shape[3] &&
                        t.stride[0] == t.shape[1] * t.stride[1];
  if (t.dtype == Dtype::f64 && adjacent) return doubles(t);
  const Tensor wide = tensor(t.shape, Dtype::f64);
  double* out = static_cast<double*>(wide.data);
  for (std::int64_t b = 0; b < t.shape[0]; ++b) {
    for (std::int64_t h = 0; h < t.shape[1]; ++h) {
      const Tensor part = rootdk::matrix(t, b, h);
      for (std::int64_t i = 0; i < t.rows(); ++i) {
        for (std::int64_t j = 0; j < t.cols(); ++j) *out++ = element(part, i, j);
      }
    }
  }
  return doubles(wide);
}

void Block::forward(std::string_view op, const Attributes& attributes,
                    std::initializer_list<Tensor> in, std::initializer_list<Tensor> out) const {
  subject_.call(op, Pass::forward, attributes, in, out);
}

void Block::backward(std::string_view op, const Attributes& attributes,
                     std::initializer_list<Tensor> in, std::initializer_list<Tensor> out) const {
  subject_.call(op, Pass::backward, attributes, in, out);
}

CheckEvidence& Block::find(std::string_view check) {
  const auto found = std::ranges::find(checks_, check);
  if (found == checks_.end()) {
    throw std::invalid_argument(fmt::format("claim: check '{}' is not declared", check));
  }
  return evidence_[static_cast<std::size_t>(found - checks_.begin())];
}

void Block::chi_squared(std::string_view check, stats::ChiSquared sum) {
  stats::Evidence& evidence = find(check).evidence;
  evidence.nu += sum.nu();
  evidence.x += sum.x();
}

void Block::standardised(std::string_view check, stats::Independent values) {
  stats::Evidence& evidence = find(check).evidence;
  evidence.nu += static_cast<double>(values.values.size());
  for (const double value : values.values) evidence.x += value;
}

void Block::count(std::string_view check, double trials, double successes) {
  stats::Evidence& evidence = find(check).evidence;
  evidence.nu += trials;
  evidence.x += successes;
}

void Block::uniforms(std::string_view check, stats::Independent values) {
  stats::Evidence& evidence = find(check).evidence;
  evidence.nu += static_cast<double>(values.values.size());
  evidence.values.insert(evidence.values.end(), values.values.begin(), values.values.end());
}

void Block::extreme(std::string_view check, double n, double largest) {
  stats::add(stats::extreme(), find(check).evidence, {.nu = n, .x = largest, .values = {}});
}

void Block::error(std::string_view check, double error_u, double tolerance_u, std::string where) {
  CheckEvidence& seen = find(check);
  const double ratio = error_u == 0 ? 0 : error_u / tolerance_u;
  const bool worst = seen.evidence.nu == 0 || worse(ratio, seen.evidence.x);
  stats::add(stats::bound(), seen.evidence, {.nu = 1, .x = ratio, .values = {}});
  if (!worst) return;
  seen.error_u = error_u;
  seen.tolerance_u = tolerance_u;
  seen.where = std::move(where);
}

std::string exact_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{:.17g} ({:a})", value, value);
}

void Block::close(std::string_view check, double seen, double expected, double scale,
                  double tolerance_u, std::string_view where, std::optional<Dtype> dtype) {
  // Equal infinities have no error; any other NaN or infinity has one that nothing tolerates.
  const double difference = seen == expected ? 0 : std::abs(seen - expected);
  const double error_u =
      difference == 0 ? 0 : difference / (scale * unit_roundoff(dtype.value_or(dtype_)));
  const CheckEvidence& worst = find(check);
  const bool describe = worst.evidence.nu == 0 || worse(error_u, worst.evidence.x * tolerance_u);
  error(check, error_u, tolerance_u,
        describe ? fmt::format("{}{}{}, expected {}", where, where.empty() ? "" : ": ",
                               exact_text(seen), exact_text(expected))
                 : std::string());
}

void Block::digits(std::string_view check, double seen, double published, double half_unit,
                   std::string_view where) {
  close(check, seen, published, half_unit, 1 / unit_roundoff(Dtype::f64), where, Dtype::f64);
}

void Block::holds(std::string_view check, bool truth, std::string_view where) {
  error(check, truth ? 0 : std::numeric_limits<double>::infinity(), 0, std::string(where));
}

}  // namespace rootdk
