#include <rootdk/properties/claim.hpp>

namespace rootdk::claims::@SCOPE@ {
namespace {

void sample(Block& block) {
  // Draw by role, call the subject, say what was seen:
  //   const Tensor q = block.normal("Q", block.integer("n"), block.integer("d_k"));
  //   block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  //   block.close("equal", seen, expected, scale, tolerance_in_roundoffs);
  // Until then the check is vacuous and the claim INCONCLUSIVE.
  static_cast<void>(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement = "Not yet stated",
      .latex = R"()",
      .source = "not yet stated",
      .derivation = "not yet stated",
      .method = "not yet stated",
      .domain = Domain().integer("n", 1, 32).integer("d_k", 1, 128),
      .needs = {},
      .checks = {{.name = "equal", .law = stats::bound()}},
      .sample = sample,
      .defects = {},
  };
}

}  // namespace rootdk::claims::@SCOPE@
