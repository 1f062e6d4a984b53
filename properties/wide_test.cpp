#include <rootdk/properties/wide.hpp>

#include <gtest/gtest.h>

namespace rootdk {
namespace {

TEST(WideTensors, ChangeInPlaceLikeTheOthers) {
  for (const Dtype dtype : {Dtype::f64, Dtype::r50, Dtype::d50, Dtype::e64}) {
    const OwnedTensor a = make_tensor(dtype, {1, 1, 2, 3});
    const OwnedTensor b = make_tensor(dtype, {1, 1, 2, 3});
    EXPECT_EQ(element(a.tensor, 1, 2), 0) << name(dtype);
    fill(a.tensor, 3);
    copy(b.tensor, a.tensor);
    multiply(b.tensor, 0.5);
    add_scaled(a.tensor, 2, b.tensor);
    set_element(a.tensor, 0, 0, -1);
    EXPECT_EQ(element(b.tensor, 0, 1), 1.5) << name(dtype);
    EXPECT_EQ(element(a.tensor, 1, 2), 6) << name(dtype);
    EXPECT_EQ(element(a.tensor, 0, 0), -1) << name(dtype);
  }
}

TEST(WideTensors, HoldFiftyDigits) {
  const OwnedTensor a = make_tensor(Dtype::r50, {1, 1, 1, 1});
  const OwnedTensor b = make_tensor(Dtype::r50, {1, 1, 1, 1});
  fill(a.tensor, 1);
  fill(b.tensor, 1);
  // 1 + 2⁻¹⁴⁰ − 1: lost in double, exact in 168 bits.
  add_scaled(a.tensor, 0x1p-140, b.tensor);
  add_scaled(a.tensor, -1, b.tensor);
  EXPECT_EQ(element(a.tensor, 0, 0), 0x1p-140);
}

}  // namespace
}  // namespace rootdk
