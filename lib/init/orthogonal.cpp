#include <rootdk/lib/init/orthogonal.hpp>
#include <rootdk/lib/random/draws.hpp>

#include <Eigen/QR>

#include <algorithm>

namespace rootdk {

template <class T>
void fill_orthogonal(Stream& stream, double gain, MatrixRef<T> w) {
  const Eigen::Index tall = std::max(w.rows(), w.cols());
  const Eigen::Index thin = std::min(w.rows(), w.cols());
  Eigen::MatrixXd gaussian(tall, thin);
  fill_normal<double>(stream,
                      std::span(gaussian.data(), static_cast<std::size_t>(gaussian.size())));
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(gaussian);
  Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(tall, thin);
  for (Eigen::Index j = 0; j < thin; ++j) {
    if (qr.matrixQR()(j, j) < 0) q.col(j) = -q.col(j);
  }
  if (w.rows() >= w.cols()) {
    w = (gain * q).template cast<T>();
  } else {
    w = (gain * q.transpose()).template cast<T>();
  }
}

template void fill_orthogonal<double>(Stream&, double, MatrixRef<double>);
template void fill_orthogonal<float>(Stream&, double, MatrixRef<float>);

}  // namespace rootdk
