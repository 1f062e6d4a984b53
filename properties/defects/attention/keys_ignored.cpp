#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <vector>

namespace rootdk::defects::attention::keys_ignored {

Defect defect() {
  return {
      .statement = "Keys from the fortieth on are ignored",
      .fact = "A tile too few: invisible up to 40 keys",
      .refuted_by = {"softmax.attention.forward"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "attention.keys_ignored", "attention", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    std::vector<std::int64_t> lengths(a.key_lengths.begin(), a.key_lengths.end());
                    if (lengths.empty()) {
                      lengths.assign(static_cast<std::size_t>(in[1].shape[0]), in[1].rows());
                    }
                    for (std::int64_t& length : lengths)
                      length = std::min<std::int64_t>(length, 40);
                    Attributes shorter = a;
                    shorter.key_lengths = lengths;
                    kernel(shorter, in, out);
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::attention::keys_ignored
