#pragma once

#include <rootdk/properties/block.hpp>
#include <rootdk/properties/domain.hpp>
#include <rootdk/stats/law.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// What the source says where it is inexact, and what holds instead.
struct Erratum {
  std::string says;
  std::string holds;
};

/// A value that may depend on the configuration.
using ValueOf = std::function<double(const Configuration&)>;
ValueOf constant(double value);

/// One thing that is tested in each configuration.
struct Check {
  std::string_view name;  ///< "variance"
  stats::Law law;
  /// Value in the unit of the statement when the claim holds: the variance (scale), the mean
  /// (location, moment), the probability (proportion).
  ValueOf expected = constant(1);
  /// Unit of an effect for means: the standard deviation of one value.
  ValueOf unit = constant(1);
  /// Multiplies the run's δ (of pooled variances it does not), where another defect is what matters.
  double delta_factor = 1;
  /// Known relative error of the statement itself (scale).
  double bias = 0;
  /// The law where it depends on the configuration; overrides `law`, of the same kind.
  std::function<stats::Law(const Configuration&)> law_at = nullptr;
  /// Kernels that this check alone needs; without them it is not applicable and the others run.
  std::vector<Key> needs = {};
};

/// A power law across configurations: the slope of log(estimate) of a scale check against log x.
struct SlopeCheck {
  std::string_view name;   ///< "exponent"
  std::string_view check;  ///< the scale check whose evidence it uses
  ValueOf x;
  /// Configurations are grouped by this text; each group has a slope of its own.
  std::function<std::string(const Configuration&)> group;
  std::function<double(const Configuration&)> slope;  ///< expected, the same within a group
};

/// An operation that a claim needs.
struct Need {
  std::string op;
  Pass pass = Pass::forward;
};

/// One statement, what it is stated for, and how it is tested. See CONTRIBUTING.md for an example.
///
/// `sample` is called once a block. Stochastic checks get as many independent blocks as their plan
/// asks for; a claim of deterministic checks alone gets one block a configuration.
struct Claim {
  std::string id;           ///< set by the registry: the path of the file with dots, and the member
  std::string member = {};  ///< name within a family
  std::string statement;
  std::string latex;
  std::string source;
  std::string premise = {};
  std::string derivation = {};
  std::optional<Erratum> erratum = std::nullopt;
  std::string method;
  Domain domain;
  std::vector<Need> needs = {};
  std::vector<Check> checks;
  std::vector<SlopeCheck> slopes = {};
  std::function<void(Block&)> sample;
  std::vector<std::string> defects = {};  ///< ids of the defects that it must refute
  std::vector<std::string> regressions =
      {};  ///< set by the registry: configurations that once failed
};

/// What a claim file returns: one claim, or a family of them.
class Claims {
 public:
  Claims(Claim claim) { members_.push_back(std::move(claim)); }  // NOLINT: implicit on purpose
  Claims(std::vector<Claim> members) : members_(std::move(members)) {}  // NOLINT

  std::vector<Claim> take() && { return std::move(members_); }

 private:
  std::vector<Claim> members_;
};

/// A subject with one planted fault.
struct Defect {
  std::string id;  ///< set by the registry: the path of the file with dots
  std::string statement;
  std::string fact;                     ///< its size, in the words of the report it comes from
  std::vector<std::string> refuted_by;  ///< ids or families ("scaling.variance") that must see it
  std::function<Subject(const Subject&)> plant;
  bool equivalent = false;  ///< not a fault: every claim must stay verified
};

/// Called by the registry that `rootdk_add_claims` generates.
void add_claims(std::string_view id, Claims (*make)());
void add_defect(std::string_view id, Defect (*make)());

/// All registered claims and defects, sorted by id. Made once, on the first call.
const std::vector<Claim>& all_claims();
const std::vector<Defect>& all_defects();

/// @throws std::invalid_argument if there is none of that id
const Claim& claim(std::string_view id);
const Defect& defect(std::string_view id);

/// Does the id or family name that claim? "scaling.variance" names "scaling.variance.sqrt_dk".
bool names(std::string_view id_or_family, std::string_view id);

/// A subject that a project registers by name, so that `--subject NAME` finds it.
struct NamedSubject {
  std::string name;
  std::string statement;
  std::function<Subject()> make;
};
/// To be called before the command runs.
///
/// @throws std::invalid_argument if the name is taken by another one
void add_subject(NamedSubject subject);
const std::vector<NamedSubject>& added_subjects();

/// The subject of that name: "library", one that was added, or the id of a defect.
///
/// @throws std::invalid_argument if there is none
Subject subject_named(std::string_view name);

/// The subject that a user names: as above; a path that ends in ".so"; otherwise a command, if the
/// text has a space in it or is an executable file.
///
/// @throws std::invalid_argument if there is none of that name, or it cannot be started
Subject subject_of(const std::string& text);

/// Does the text name a shared library?
bool names_a_library(const std::string& text);

/// Does the text name a program or a library outside this process, if it is no name?
bool names_a_process(const std::string& text);

}  // namespace rootdk
