#include <rootdk/properties/cli/ranks.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/shares.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <utility>

namespace rootdk::cli {

Share parse_share(const std::string& text) {
  const auto fail = [&] {
    return Exit(kUsage, fmt::format("--shard {}: must be i/n with 1 ≤ i ≤ n", text));
  };
  Share share;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, share.index);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') throw fail();
  const auto second = std::from_chars(first.ptr + 1, end, share.count);
  if (second.ec != std::errc() || second.ptr != end) throw fail();
  if (share.index < 1 || share.index > share.count) throw fail();
  --share.index;
  return share;
}

int run_share(const RunCommand& command) {
  const Share share = parse_share(command.shard);
  if (command.outputs.json.empty()) {
    throw Exit(kUsage, "--shard needs --json F, the part that `rootdk merge` reads");
  }
  const RunSettings settings = settings_of(command.run);
  const std::vector<const Claim*> chosen = selected(command.run);
  const Subject subject = subject_of(command.run.subject, command.run.timeout);
  reports::require_writable(command.outputs.json);
  const PreparedRun prepared = prepare(chosen, subject, settings);
  Records records;
  {
    ProgressBar bar(!command.run.no_progress);
    records = evaluate_share(
        prepared, subject, share, [&](const Progress& p) { bar.show(p); }, interrupted);
  }
  if (interrupted) throw Exit(kInterrupted, "interrupted; nothing was written");
  reports::write_file(command.outputs.json, reports::to_json(to_part(prepared, records, share)));
  return 0;
}

int run_ranks(const RunCommand& command) {
  RunSettings settings = settings_of(command.run);
  // A rank is a core already, unless the user says otherwise.
  if (settings.jobs == 0) settings.jobs = 1;
  const std::vector<const Claim*> chosen = selected(command.run);
  const Subject subject = subject_of(command.run.subject, command.run.timeout);
  const bool first = Ranks::rank() == 0;
  if (first) require_usable(command.outputs);
  const auto start = std::chrono::steady_clock::now();
  PreparedRun prepared = prepare(chosen, subject, settings);
  const Share share{.index = static_cast<std::size_t>(Ranks::rank()),
                    .count = static_cast<std::size_t>(Ranks::size())};
  ProgressBar bar(first && !command.run.no_progress);
  const auto show = [&](const Progress& p) { bar.show(p); };
  const Records records = evaluate_share(prepared, subject, share, show, interrupted);
  const std::vector<std::string> texts =
      Ranks::gather(reports::to_json(to_part(prepared, records, share)));
  if (!first) return interrupted ? kInterrupted : 0;
  std::vector<reports::Part> parts;
  for (const std::string& text : texts) parts.push_back(reports::part_from_json(text));
  Records all = gather(prepared, parts);
  prepared.result.run.jobs = Ranks::size() * static_cast<std::int64_t>(prepared.jobs);
  reports::Result result =
      conclude_all(std::move(prepared), std::move(all), subject, show, interrupted);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  result.run.wall_s = spent.count();
  return finish(command, result);
}

int execute(const MergeCommand& command) {
  std::vector<reports::Part> parts;
  for (const std::string& path : command.parts) {
    try {
      parts.push_back(reports::part_from_json(reports::read_file(path)));
    } catch (const std::invalid_argument& error) {
      throw Exit(kUsage, fmt::format("{}: {}", path, error.what()));
    }
  }
  require_one_run(parts);
  const reports::RunRecord& run = parts.front().run;
  const RunSettings settings =
      settings_of({.effort = run.effort, .seed = std::to_string(run.seed), .alpha = run.alpha});
  std::vector<const Claim*> chosen;
  for (const std::string& id : parts.front().claims) chosen.push_back(&claim(id));
  const Subject subject = subject_of(run.subject, kCallSeconds);
  require_usable(command.outputs);
  PreparedRun prepared = prepare(chosen, subject, settings);
  Records records = gather(prepared, parts);
  return finish(
      command.outputs, command.console, false,
      conclude_all(
          std::move(prepared), std::move(records), subject, [](const Progress&) {}, interrupted));
}

}  // namespace rootdk::cli
