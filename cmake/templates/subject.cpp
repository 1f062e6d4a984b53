#include <rootdk/properties/subjects/named.hpp>

namespace rootdk::subjects::@NAME@ {
namespace {

// One kernel an operation, pass and dtype; see the table in rootdk/properties/subject.hpp:
//
//   void softmax(const Attributes&, std::span<const Tensor> in, std::span<const Tensor> out);
//
// What a subject lacks is NOT_APPLICABLE, by name, never passed.
Subject make() {
  Subject subject("@NAME@");
  // subject.set({"softmax", Pass::forward, Dtype::f32}, softmax);
  return subject;
}

}  // namespace

NamedSubject subject() { return {.name = {}, .statement = "not yet stated", .make = make}; }

}  // namespace rootdk::subjects::@NAME@
