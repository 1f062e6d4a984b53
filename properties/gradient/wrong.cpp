#include <rootdk/properties/gradient/wrong.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace rootdk {
namespace {

Subject plant(const Subject& subject, const std::vector<std::string>& ops, const Fault& fault) {
  Subject result = subject;
  for (const std::string& op : ops) {
    result = result.with(subject.name(), op, Pass::backward, [&](const Kernel& right) -> Kernel {
      return [right, fault, op](const Attributes& attributes, std::span<const Tensor> in,
                                std::span<const Tensor> out) {
        right(attributes, in, out);
        fault({op, attributes, in, out, right});
      };
    });
  }
  return result;
}

bool meant(const SchemeFacts& facts, std::string_view schemes) {
  return schemes == "*" || schemes == facts.name ||
         (schemes == "parameters" && !facts.parameters.empty());
}

}  // namespace

std::ptrdiff_t WrongBackward::parameters() const {
  if (scheme(attributes.scheme).parameters.empty()) return -1;
  const auto all = attending();
  if (std::ranges::find(all, op) == all.end()) return -1;
  return static_cast<std::ptrdiff_t>(in.size()) - 2;
}

void WrongBackward::multiply_all(double factor) const {
  for (const Tensor& gradient : out) multiply(gradient, factor);
}

double at(const Tensor& t, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
  return element(matrix(t, b, h), i, j);
}

void set(const Tensor& t, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j,
         double value) {
  set_element(matrix(t, b, h), i, j, value);
}

void for_each_entry(
    const Tensor& t,
    const std::function<void(std::int64_t, std::int64_t, std::int64_t, std::int64_t)>& f) {
  for (std::int64_t b = 0; b < t.shape[0]; ++b) {
    for (std::int64_t h = 0; h < t.shape[1]; ++h) {
      for (std::int64_t i = 0; i < t.rows(); ++i) {
        for (std::int64_t j = 0; j < t.cols(); ++j) f(b, h, i, j);
      }
    }
  }
}

std::vector<std::string> attending() {
  return {"scores", "attention", "multi_head", "prenorm_block", "postnorm_block"};
}

Defect in_operations(std::vector<std::string> ops, std::string_view schemes, std::string statement,
                     std::string fact, Fault fault) {
  Defect result{.id = {},
                .statement = std::move(statement),
                .fact = std::move(fact),
                .refuted_by = {},
                .plant = nullptr};
  for (const std::string& op : ops) result.refuted_by.push_back("gradient." + op);
  for (const SchemeFacts& facts : all_schemes()) {
    if (!meant(facts, schemes)) continue;
    result.refuted_by.push_back("scaling.gradient." + std::string(facts.name));
  }
  result.plant = [ops = std::move(ops), fault = std::move(fault)](const Subject& subject) {
    return plant(subject, ops, fault);
  };
  return result;
}

Defect everywhere(std::string statement, std::string fact, Fault fault) {
  std::set<std::string> ops;
  for (const Operation& operation : operations()) ops.insert(operation.op);
  Defect result = in_operations({ops.begin(), ops.end()}, "*", std::move(statement),
                                std::move(fact), std::move(fault));
  result.refuted_by.push_back("gradient.checker");
  return result;
}

}  // namespace rootdk
