#pragma once

// Every kernel of the library for one scalar: include it once a scalar, in one translation unit.

#include <rootdk/lib/attention/attention.ipp>
#include <rootdk/lib/attention/multi_head.ipp>
#include <rootdk/lib/model/transformer_block.ipp>
#include <rootdk/lib/ops/activation.ipp>
#include <rootdk/lib/ops/linear.ipp>
#include <rootdk/lib/ops/loss.ipp>
#include <rootdk/lib/ops/norm.ipp>
#include <rootdk/lib/ops/softmax.ipp>

#define ROOTDK_INSTANTIATE_KERNELS(T)                                                              \
  template void linear<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, ConstVectorRef<T>, MatrixRef<T>);  \
  template void linear_backward<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, ConstMatrixRef<T>,        \
                                   MatrixRef<T>, MatrixRef<T>, VectorRef<T>);                      \
  template void softmax<T>(ConstMatrixRef<T>, MatrixRef<T>);                                       \
  template void softmax_backward<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, MatrixRef<T>);           \
  template void rms_norm<T>(ConstMatrixRef<T>, ConstVectorRef<T>, double, MatrixRef<T>);           \
  template void rms_norm_backward<T>(ConstMatrixRef<T>, ConstVectorRef<T>, double,                 \
                                     ConstMatrixRef<T>, MatrixRef<T>, VectorRef<T>);               \
  template void layer_norm<T>(ConstMatrixRef<T>, ConstVectorRef<T>, ConstVectorRef<T>, double,     \
                              MatrixRef<T>);                                                       \
  template void layer_norm_backward<T>(ConstMatrixRef<T>, ConstVectorRef<T>, double,               \
                                       ConstMatrixRef<T>, MatrixRef<T>, VectorRef<T>,              \
                                       VectorRef<T>);                                              \
  template T activate<T>(Activation, const T&, double);                                            \
  template T activation_slope<T>(Activation, const T&, double);                                    \
  template void activation<T>(Activation, double, ConstMatrixRef<T>, MatrixRef<T>);                \
  template void activation_backward<T>(Activation, double, ConstMatrixRef<T>, ConstMatrixRef<T>,   \
                                       MatrixRef<T>);                                              \
  template void scores<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,               \
                          std::span<const T>, MatrixRef<T>);                                       \
  template void scores_backward<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,      \
                                   std::span<const T>, ConstMatrixRef<T>, MatrixRef<T>,            \
                                   MatrixRef<T>, std::span<T>);                                    \
  template void attention<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,            \
                             ConstMatrixRef<T>, std::span<const T>, MatrixRef<T>, MatrixRef<T>);   \
  template void attention_backward<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,   \
                                      ConstMatrixRef<T>, std::span<const T>, ConstMatrixRef<T>,    \
                                      MatrixRef<T>, MatrixRef<T>, MatrixRef<T>, std::span<T>);     \
  template void attention_backward<T>(const HeadSettings&, ConstMatrixRef<T>, ConstMatrixRef<T>,   \
                                      ConstMatrixRef<T>, std::span<const T>, ConstMatrixRef<T>,    \
                                      ConstMatrixRef<T>, MatrixRef<T>, MatrixRef<T>, MatrixRef<T>, \
                                      std::span<T>);

#define ROOTDK_INSTANTIATE_MODEL(T)                                                          \
  template void log_softmax<T>(ConstMatrixRef<T>, MatrixRef<T>);                             \
  template void log_softmax_backward<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, MatrixRef<T>); \
  template T cross_entropy<T>(ConstMatrixRef<T>, std::span<const std::int64_t>);             \
  template void cross_entropy_backward<T>(ConstMatrixRef<T>, std::span<const std::int64_t>,  \
                                          const T&, MatrixRef<T>);                           \
  template void residual<T>(ConstMatrixRef<T>, ConstMatrixRef<T>, double, MatrixRef<T>);     \
  template void residual_backward<T>(ConstMatrixRef<T>, double, MatrixRef<T>, MatrixRef<T>); \
  template void multi_head<T>(const HeadSettings&, std::int64_t, ConstMatrixRef<T>,          \
                              ConstMatrixRef<T>, const Projections<T>&, std::span<const T>,  \
                              MatrixRef<T>);                                                 \
  template void multi_head_backward<T>(const HeadSettings&, std::int64_t, ConstMatrixRef<T>, \
                                       ConstMatrixRef<T>, const Projections<T>&,             \
                                       std::span<const T>, ConstMatrixRef<T>, MatrixRef<T>,  \
                                       MatrixRef<T>, ProjectionGradients<T>&, std::span<T>); \
  template void transformer_block<T>(const BlockSettings&, ConstMatrixRef<T>,                \
                                     const BlockWeights<T>&, MatrixRef<T>);                  \
  template void transformer_block_backward<T>(const BlockSettings&, ConstMatrixRef<T>,       \
                                              const BlockWeights<T>&, ConstMatrixRef<T>,     \
                                              MatrixRef<T>, BlockGradients<T>&);
