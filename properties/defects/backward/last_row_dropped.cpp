#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::last_row_dropped {

Defect defect() {
  return everywhere("The last row of the first gradient is left at zero",
                    "A loop that ends one row early", [](const WrongBackward& b) {
                      const Tensor& dx = b.out[0];
                      for_each_entry(dx, [&](auto n, auto h, auto i, auto j) {
                        if (i == dx.rows() - 1) set(dx, n, h, i, j, 0);
                      });
                    });
}

}  // namespace rootdk::defects::backward::last_row_dropped
