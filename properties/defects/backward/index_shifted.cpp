#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::index_shifted {

Defect defect() {
  return everywhere("The gradient of the first input is shifted by one entry",
                    "An index off by one in the innermost loop; invisible on constant data",
                    [](const WrongBackward& b) {
                      const Tensor& dx = b.out[0];
                      double carried =
                          at(dx, dx.shape[0] - 1, dx.shape[1] - 1, dx.rows() - 1, dx.cols() - 1);
                      for_each_entry(dx, [&](auto n, auto h, auto i, auto j) {
                        const double here = at(dx, n, h, i, j);
                        set(dx, n, h, i, j, carried);
                        carried = here;
                      });
                    });
}

}  // namespace rootdk::defects::backward::index_shifted
