#include <rootdk/properties/subjects/named.hpp>

#include <cmath>

namespace rootdk::subjects::plain {
namespace {

double factor(const Attributes& a, const Tensor& q) {
  const auto d = static_cast<double>(q.cols());
  if (a.scheme == "none") return 1;
  if (a.scheme == "sqrt_dk") return 1 / std::sqrt(d);
  if (a.scheme == "cube_root") return 1 / std::cbrt(d);  // the project's own scheme
  throw NotApplicable("plain has no scheme " + std::string(a.scheme));
}

void scores(const Attributes& a, std::span<const Tensor> in, std::span<const Tensor> out) {
  for (std::int64_t b = 0; b < out[0].shape[0]; ++b) {
    for (std::int64_t h = 0; h < out[0].shape[1]; ++h) {
      const Tensor q = matrix(in[0], b, h);
      const Tensor k = matrix(in[1], b, h);
      const Tensor s = matrix(out[0], b, h);
      for (std::int64_t i = 0; i < s.rows(); ++i) {
        for (std::int64_t j = 0; j < s.cols(); ++j) {
          double sum = 0;
          for (std::int64_t c = 0; c < q.cols(); ++c) sum += element(q, i, c) * element(k, j, c);
          set_element(s, i, j, sum * factor(a, q));
        }
      }
    }
  }
}

Subject make() {
  Subject subject("plain");
  subject.set({"scores", Pass::forward, Dtype::f64}, scores);
  return subject;
}

}  // namespace

NamedSubject subject() {
  return {
      .name = {}, .statement = "scores as three loops, with a scheme of their own", .make = make};
}

}  // namespace rootdk::subjects::plain
