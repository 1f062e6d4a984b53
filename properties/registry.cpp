#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/regressions.hpp>
#include <rootdk/properties/subjects/named.hpp>
#include <rootdk/properties/subjects/process.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace rootdk {

// Generated from the folders claims, defects and subjects/named.
void register_claims_rootdk_properties();
void register_defects_rootdk_properties();
void register_subjects_rootdk_properties();
void register_regressions();

namespace {

template <class Make>
struct Entry {
  std::string id;
  Make make;
};

// Filled by generated functions: a linker would drop objects of a static library that registered
// themselves.
auto& claim_makers() {
  static std::vector<Entry<Claims (*)()>> makers;
  return makers;
}
auto& defect_makers() {
  static std::vector<Entry<Defect (*)()>> makers;
  return makers;
}

auto& subject_makers() {
  static std::vector<NamedSubject> makers;
  return makers;
}

auto& stored_regressions() {
  static std::vector<Regression> stored;
  return stored;
}

/// Hands each claim its stored configurations.
void attach_regressions(std::vector<Claim>& claims) {
  register_regressions();
  for (const Regression& regression : stored_regressions()) {
    const auto claim = std::ranges::find(claims, regression.claim, &Claim::id);
    if (claim == claims.end()) {
      throw std::invalid_argument(
          fmt::format("regression {}: there is no claim '{}'", regression.name, regression.claim));
    }
    claim->regressions.emplace_back(regression.configuration);
  }
}

template <class T>
const T& find(const std::vector<T>& all, std::string_view id, std::string_view what) {
  const auto found = std::ranges::find(all, id, &T::id);
  if (found == all.end()) throw std::invalid_argument(fmt::format("there is no {} '{}'", what, id));
  return *found;
}

}  // namespace

ValueOf constant(double value) {
  return [value](const Configuration&) { return value; };
}

void add_claims(std::string_view id, Claims (*make)()) {
  claim_makers().push_back({std::string(id), make});
}
void add_defect(std::string_view id, Defect (*make)()) {
  defect_makers().push_back({std::string(id), make});
}

void add_regression(const Regression& regression) { stored_regressions().push_back(regression); }

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> all = [] {
    register_claims_rootdk_properties();
    std::vector<Claim> result;
    for (const auto& entry : claim_makers()) {
      for (Claim& claim : entry.make().take()) {
        claim.id = claim.member.empty() ? entry.id : entry.id + "." + claim.member;
        result.push_back(std::move(claim));
      }
    }
    std::ranges::sort(result, {}, &Claim::id);
    attach_regressions(result);
    return result;
  }();
  return all;
}

const std::vector<Defect>& all_defects() {
  static const std::vector<Defect> all = [] {
    register_defects_rootdk_properties();
    std::vector<Defect> result;
    for (const auto& entry : defect_makers()) {
      result.push_back(entry.make());
      result.back().id = entry.id;
    }
    std::ranges::sort(result, {}, &Defect::id);
    return result;
  }();
  return all;
}

const Claim& claim(std::string_view id) { return find(all_claims(), id, "claim"); }
const Defect& defect(std::string_view id) { return find(all_defects(), id, "defect"); }

bool names(std::string_view id_or_family, std::string_view id) {
  return id.starts_with(id_or_family) &&
         (id.size() == id_or_family.size() || id[id_or_family.size()] == '.');
}

void add_subject(NamedSubject subject) {
  const auto taken = std::ranges::find(subject_makers(), subject.name, &NamedSubject::name);
  if (subject.name == "library" || taken != subject_makers().end()) {
    throw std::invalid_argument(fmt::format("add_subject: '{}' is taken", subject.name));
  }
  subject_makers().push_back(std::move(subject));
}

void add_named_subject(std::string_view name, NamedSubject (*make)()) {
  NamedSubject subject = make();
  subject.name = name;
  add_subject(std::move(subject));
}

const std::vector<NamedSubject>& added_subjects() {
  static const bool registered = (register_subjects_rootdk_properties(), true);
  static_cast<void>(registered);
  return subject_makers();
}

Subject subject_named(std::string_view name) {
  if (name == "library") return library();
  const std::vector<NamedSubject>& all = added_subjects();
  const auto added = std::ranges::find(all, name, &NamedSubject::name);
  if (added != all.end()) {
    Subject subject = added->make();
    subject.rename(std::string(name));
    return subject;
  }
  const Defect& planted = find(all_defects(), name, "subject");
  const Subject base = library();
  Subject faulty = planted.plant(base);
  faulty.rename(std::string(name));
  return faulty;
}

bool names_a_library(const std::string& text) {
  // A space may be of a path or of a command; a file decides.
  std::error_code error;
  return text.ends_with(".so") &&
         (text.find(' ') == std::string::npos || std::filesystem::is_regular_file(text, error));
}

bool names_a_process(const std::string& text) {
  if (text.ends_with(".so") || text.find(' ') != std::string::npos) return true;
  std::error_code error;
  return std::filesystem::is_regular_file(text, error) && access(text.c_str(), X_OK) == 0;
}

Subject subject_of(const std::string& text) {
  if (!names_a_process(text)) return subject_named(text);
  return names_a_library(text) ? shared_library_subject(text) : process_subject(text);
}

}  // namespace rootdk
