#pragma once

#include <rootdk/lib/random/stream.hpp>
#include <rootdk/properties/configuration.hpp>
#include <rootdk/properties/subject.hpp>
#include <rootdk/properties/workspace.hpp>
#include <rootdk/stats/chi_squared.hpp>
#include <rootdk/stats/law.hpp>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// Evidence of one check, with the place of the largest error for deterministic ones.
struct CheckEvidence {
  stats::Evidence evidence;
  double error_u = 0;
  double tolerance_u = 0;
  std::string where;
};

/// Is an error ratio worse than the worst so far? NaN is worse than any number, and the first one
/// stays, as `stats::add` keeps it.
inline bool worse(double ratio, double worst) { return !std::isnan(worst) && !(ratio <= worst); }

/// "0.5 (0x1p-1)": to read, and to have every bit. A NaN has no sign worth telling.
std::string exact_text(double value);

/// One independent block of one configuration, as a claim's `sample` sees it: it draws data by
/// role, calls the subject, and says what it saw. Everything drawn is a pure function of the
/// address.
class Block {
 public:
  Block(const Configuration& configuration, const Subject& subject, Address address, Dtype dtype,
        std::span<const std::string_view> checks, Workspace& workspace,
        std::vector<CheckEvidence>& evidence, bool first = true);

  const Configuration& configuration() const { return configuration_; }
  std::int64_t integer(std::string_view field) const { return configuration_.integer(field); }
  double real(std::string_view field) const { return configuration_.real(field); }
  const std::string& text(std::string_view field) const { return configuration_.text(field); }
  const Subject& subject() const { return subject_; }
  /// The dtype in which data are drawn unless a claim asks for another: the widest of the subject.
  Dtype dtype() const { return dtype_; }
  /// The first block of its configuration: what draws nothing need be done in it alone.
  bool first() const { return first_; }

  // ---- data, valid until the block ends; a role is drawn once ----

  /// An uninitialised matrix [rows, columns].
  Tensor matrix(std::int64_t rows, std::int64_t cols, std::optional<Dtype> dtype = {});
  /// An uninitialised [batch, heads, rows, columns].
  Tensor tensor(std::array<std::int64_t, 4> shape, std::optional<Dtype> dtype = {});
  /// Independent N(0, sd²) entries.
  Tensor normal(std::string_view role, std::int64_t rows, std::int64_t cols, double sd = 1,
                std::optional<Dtype> dtype = {});
  /// The same for [batch, heads, rows, columns].
  Tensor normal(std::string_view role, std::array<std::int64_t, 4> shape, double sd = 1,
                std::optional<Dtype> dtype = {});
  /// Independent entries of one of the laws named by `standard_laws()`, mean 0, standard deviation
  /// sd.
  Tensor draw(std::string_view role, std::string_view law, std::int64_t rows, std::int64_t cols,
              double sd = 1, std::optional<Dtype> dtype = {});
  /// A row [1, n] of given values, as for the parameters of a scheme.
  Tensor row(std::span<const double> values, std::optional<Dtype> dtype = {});
  /// A stream of one's own.
  Stream stream(std::string_view role) const;
  /// A seed for an operation that draws by itself.
  std::uint64_t seed(std::string_view role) const;
  /// The values of a tensor, row by row, in double.
  std::span<const double> values(const Tensor& tensor);

  // ---- the subject ----

  void forward(std::string_view op, const Attributes& attributes, std::initializer_list<Tensor> in,
               std::initializer_list<Tensor> out) const;
  void backward(std::string_view op, const Attributes& attributes, std::initializer_list<Tensor> in,
                std::initializer_list<Tensor> out) const;

  // ---- what was seen, by the name of the check ----

  void chi_squared(std::string_view check, stats::ChiSquared sum);
  /// Independent values whose standardised form is N(0, 1) (location) or has the check's moments.
  void standardised(std::string_view check, stats::Independent values);
  void count(std::string_view check, double trials, double successes);
  /// Independent values of F(x), uniform on (0, 1) when the claim holds (shape).
  void uniforms(std::string_view check, stats::Independent values);
  /// Largest F(x) of `n` independent values (extreme).
  void extreme(std::string_view check, double n, double largest);
  /// One comparison: error and tolerance in units of roundoff, where it was made.
  void error(std::string_view check, double error_u, double tolerance_u, std::string where = {});
  /// |seen − expected| against `tolerance_u` roundoffs of `scale`, in the roundoff of the dtype.
  void close(std::string_view check, double seen, double expected, double scale, double tolerance_u,
             std::string_view where = {}, std::optional<Dtype> dtype = {});
  /// A number computed in double against a published one, within half a unit of its last digit.
  void digits(std::string_view check, double seen, double published, double half_unit,
              std::string_view where);
  /// A statement that is true or false.
  void holds(std::string_view check, bool truth, std::string_view where = {});

 private:
  CheckEvidence& find(std::string_view check);
  Tensor converted(const Tensor& wide, std::optional<Dtype> dtype);

  const Configuration& configuration_;
  const Subject& subject_;
  Address address_;
  Dtype dtype_;
  std::span<const std::string_view> checks_;
  Workspace& workspace_;
  std::vector<CheckEvidence>& evidence_;
  bool first_;
};

/// A standard law: mean 0, variance 1.
struct StandardLaw {
  std::string_view name;
  double kurtosis;       ///< E x⁴
  double sixth, eighth;  ///< E x⁶, E x⁸
};

/// normal, uniform, two_point (±1), three_point (0 with probability ½, else ±√2). All symmetric.
std::span<const StandardLaw> standard_laws();
const StandardLaw& standard_law(std::string_view name);
std::vector<std::string> standard_law_names();

}  // namespace rootdk
