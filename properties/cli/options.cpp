#include <rootdk/properties/cli/options.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <regex>

namespace rootdk::cli {

std::atomic<bool> interrupted{false};

namespace {

std::uint64_t seed_of(const std::string& text) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
  if (text == "random") {
    std::random_device device;
    return ((std::uint64_t{device()} << 32) ^ device()) & most;
  }
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size() || seed > most) {
    throw Exit(kUsage, fmt::format("--seed {}: must be a number below 2^53, or random", text));
  }
  return seed;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

}  // namespace

std::function<bool(const std::string&)> matcher(const std::string& expression,
                                                std::string_view option) {
  if (expression.empty()) return [](const std::string&) { return true; };
  try {
    return [pattern = std::regex(expression)](const std::string& text) {
      return std::regex_search(text, pattern);
    };
  } catch (const std::regex_error& error) {
    throw Exit(kUsage, fmt::format("{} '{}': {}", option, expression, error.what()));
  }
}

RunSettings settings_of(const RunOptions& options) {
  RunSettings settings;
  settings.seed = seed_of(options.seed);
  if (!(options.alpha > 0 && options.alpha < 1)) {
    throw Exit(kUsage, fmt::format("--alpha {}: must lie in (0, 1)", options.alpha));
  }
  settings.alpha = options.alpha;
  try {
    settings.effort = &effort_named(options.effort);
  } catch (const std::invalid_argument&) {
    throw Exit(kUsage, fmt::format("--effort {}: must be quick, standard or deep", options.effort));
  }
  constexpr std::size_t most_jobs = 1024;  // a negative number is read as a huge one
  if (options.jobs > most_jobs) throw Exit(kUsage, fmt::format("--jobs: at most {}", most_jobs));
  settings.jobs = options.jobs;
  return settings;
}

std::vector<const Claim*> selected(const RunOptions& options) {
  const auto kept = matcher(options.filter, "--filter");
  const auto excluded = matcher(options.exclude, "--exclude");
  std::vector<const Claim*> result;
  for (const Claim& claim : all_claims()) {
    if (!kept(claim.id) || (!options.exclude.empty() && excluded(claim.id))) continue;
    result.push_back(&claim);
  }
  if (result.empty()) {
    throw Exit(kNothingSelected,
               fmt::format("no claim matches --filter '{}'{}{}", options.filter,
                           options.exclude.empty()
                               ? std::string()
                               : fmt::format(" without --exclude '{}'", options.exclude),
                           suggestion(options.filter, claim_ids())));
  }
  return result;
}

reports::ConsoleStyle style_of(const ConsoleOptions& options) {
  reports::ConsoleStyle style{.quiet = options.quiet, .verbose = options.verbose};
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const char* no_color = std::getenv("NO_COLOR");
  const bool wanted = no_color == nullptr || *no_color == '\0';
  style.color = options.color == "always" || (options.color == "auto" && terminal && wanted);
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
  }
  return style;
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t d = distance(wrong, name);
    // A third of the name wrong is still a misspelling; a part of a name is a guess at it.
    const bool part = wrong.size() >= 4 && name.find(wrong) != std::string::npos;
    if (part || 3 * d <= std::max(name.size(), wrong.size())) near.emplace_back(d, name);
  }
  std::ranges::sort(near);
  if (near.size() > 3) near.resize(3);
  if (near.empty()) return {};
  std::vector<std::string> shown;
  for (const auto& [d, name] : near) shown.push_back(name);
  return fmt::format("; did you mean {}?", fmt::join(shown, ", "));
}

std::vector<std::string> claim_ids() {
  std::vector<std::string> ids;
  for (const Claim& claim : all_claims()) ids.push_back(claim.id);
  return ids;
}

std::vector<std::string> defect_ids() {
  std::vector<std::string> ids;
  for (const Defect& defect : all_defects()) ids.push_back(defect.id);
  return ids;
}

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressBar::ProgressBar(bool wanted)
    : enabled_(wanted && isatty(STDERR_FILENO) != 0), start_(now()) {}

ProgressBar::~ProgressBar() {
  if (enabled_ && shown_ > 0) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::show(const Progress& progress) {
  const double time = now();
  if (!enabled_ || time - shown_ < 0.1 || progress.total == 0) return;
  shown_ = time;
  constexpr std::size_t width = 30;
  const double part = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  const auto full = static_cast<std::size_t>(part * width);
  const double left = part > 0.02 ? (time - start_) * (1 - part) / part : 0;
  fmt::print(stderr, "\r\x1b[K[{}{}] {:3.0f} % {} {:.30}", std::string(full, '='),
             std::string(width - full, ' '), 100 * part,
             left > 0 ? fmt::format("{:.0f} s left", std::ceil(left)) : std::string("…"),
             progress.claim);
  std::fflush(stderr);
}

}  // namespace rootdk::cli
