#pragma once

// Every kernel of the library for one scalar: include it once a scalar, in one translation unit.

#include <rootdk/lib/attention/attention.ipp>
#include <rootdk/lib/ops/activation.ipp>
#include <rootdk/lib/ops/linear.ipp>
#include <rootdk/lib/ops/norm.ipp>
#include <rootdk/lib/ops/softmax.ipp>

#define ROOTDK_INSTANTIATE_KERNELS(T)                                                             \
  template void linear<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, ConstVectorRef<T>, MatrixRef<T>); \
  template void linear_backward<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, ConstMatrixRef<T>,       \
                                   MatrixRef<T>, MatrixRef<T>, VectorRef<T>);                     \
  template void softmax<T>(ConstMatrixRef<T>, MatrixRef<T>);                                      \
  template void softmax_backward<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, MatrixRef<T>);          \
  template void rms_norm<T>(ConstMatrixRef<T>, ConstVectorRef<T>, double, MatrixRef<T>);          \
  template void rms_norm_backward<T>(ConstMatrixRef<T>, ConstVectorRef<T>, double,                \
                                     ConstMatrixRef<T>, MatrixRef<T>, VectorRef<T>);              \
  template void layer_norm<T>(ConstMatrixRef<T>, ConstVectorRef<T>, ConstVectorRef<T>, double,    \
                              MatrixRef<T>);                                                      \
  template void layer_norm_backward<T>(ConstMatrixRef<T>, ConstVectorRef<T>, double,              \
                                       ConstMatrixRef<T>, MatrixRef<T>, VectorRef<T>,             \
                                       VectorRef<T>);                                             \
  template T activate<T>(Activation, const T&, double);                                           \
  template T activation_slope<T>(Activation, const T&, double);                                   \
  template void activation<T>(Activation, double, ConstMatrixRef<T>, MatrixRef<T>);               \
  template void activation_backward<T>(Activation, double, ConstMatrixRef<T>, ConstMatrixRef<T>,  \
                                       MatrixRef<T>);                                             \
  template void scores<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,              \
                          std::span<const T>, MatrixRef<T>);                                      \
  template void scores_backward<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,     \
                                   std::span<const T>, ConstMatrixRef<T>, MatrixRef<T>,           \
                                   MatrixRef<T>, std::span<T>);                                   \
  template void attention<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,           \
                             ConstMatrixRef<T>, std::span<const T>, MatrixRef<T>, MatrixRef<T>);  \
  template void attention_backward<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,  \
                                      ConstMatrixRef<T>, std::span<const T>, ConstMatrixRef<T>,   \
                                      MatrixRef<T>, MatrixRef<T>, MatrixRef<T>, std::span<T>);
