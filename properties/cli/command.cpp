#include <rootdk/properties/cli/command.hpp>
#include <rootdk/properties/cli/ranks.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/version.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rootdk {
namespace {

using namespace cli;
using Action = std::function<int()>;

/// A subcommand whose options fill a `Command`, which is executed if it is chosen.
template <class Command, class Options>
void add(CLI::App& app, Action& action, const char* name, const char* what, Options&& options) {
  const auto command = std::make_shared<Command>();
  CLI::App* sub = app.add_subcommand(name, what);
  options(*sub, *command);
  sub->callback([command, &action] { action = [command] { return execute(*command); }; });
}

void add_run_options(CLI::App& app, RunOptions& o) {
  app.add_option("--filter", o.filter, "claims whose id matches a regular expression")
      ->type_name("RE");
  app.add_option("--exclude", o.exclude, "leave out the claims whose id matches")->type_name("RE");
  app.add_option("--effort", o.effort, "quick, standard or deep: the smallest effect seen")
      ->capture_default_str();
  app.add_option("--seed", o.seed, "a number below 2^53, or random")->capture_default_str();
  app.add_option("--alpha", o.alpha, "false-alarm probability of the whole run")
      ->capture_default_str();
  app.add_option("--jobs", o.jobs, "threads; 0 for one a core")->capture_default_str();
  app.add_option("--subject", o.subject,
                 "what is verified: library, a planted defect, a shared library or a command")
      ->type_name("NAME|PATH.so|COMMAND")
      ->capture_default_str();
  app.add_option("--timeout", o.timeout, "longest call of a subject in another process, in s")
      ->capture_default_str();
  app.add_flag("--no-progress", o.no_progress, "no progress bar");
}

void add_console_options(CLI::App& app, ConsoleOptions& o) {
  app.add_flag("-q,--quiet", o.quiet, "only what is not verified, and the summary");
  app.add_flag("-v,--verbose", o.verbose, "every test of every configuration");
  app.add_option("--color", o.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

void add_outputs(CLI::App& app, Outputs& o) {
  app.add_option("--json", o.json, "write the result as JSON; - is standard output")
      ->type_name("F");
  app.add_option("--junit", o.junit, "write JUnit XML")->type_name("F");
  app.add_option("--html", o.html, "write the report as one page")->type_name("F");
  app.add_option("--md", o.md, "write a summary in Markdown")->type_name("F");
  app.add_option("--csv", o.csv, "write all evidence as CSV")->type_name("F");
  app.add_option("--with", o.with, "show this result of `defects` or `calibrate` in the page")
      ->type_name("F");
}

void add_subcommands(CLI::App& app, Action& action) {
  add<RunCommand>(app, action, "run", "verify claims and report", [](CLI::App& sub, RunCommand& c) {
    add_run_options(sub, c.run);
    add_console_options(sub, c.console);
    add_outputs(sub, c.outputs);
    sub.add_flag("--strict", c.strict, "inconclusive and broken count as refuted");
    sub.add_option("--shard", c.shard, "run the i-th of n shares and write it with --json")
        ->type_name("i/n");
    sub.add_option("--save-baseline", c.save_baseline, "store the result in .rootdk/baselines")
        ->type_name("NAME");
    sub.add_option("--baseline", c.baseline, "compare with a stored result; a regression exits 5")
        ->type_name("NAME|F");
  });
  add<MergeCommand>(app, action, "merge", "shares into one result",
                    [](CLI::App& sub, MergeCommand& c) {
                      sub.add_option("parts", c.parts, "what `run --shard` wrote, all of them")
                          ->required()
                          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
                      add_console_options(sub, c.console);
                      add_outputs(sub, c.outputs);
                    });
  add<ListCommand>(app, action, "list", "what there is", [](CLI::App& sub, ListCommand& c) {
    sub.add_option("what", c.what, "claims, schemes, initialisers, defects or subjects")
        ->required()
        ->check(CLI::IsMember({"claims", "schemes", "initialisers", "defects", "subjects"}));
    sub.add_option("--filter", c.filter, "only those whose id matches")->type_name("RE");
    sub.add_flag("--json", c.json, "as a JSON array");
  });
  add<ExplainCommand>(app, action, "explain", "a claim's statement, derivation, plan and defects",
                      [](CLI::App& sub, ExplainCommand& c) {
                        sub.add_option("claim", c.claim, "id of the claim")->required();
                      });
  add<PlanCommand>(app, action, "plan", "the ledger and the predicted time",
                   [](CLI::App& sub, PlanCommand& c) { add_run_options(sub, c.run); });
  add<ReplayCommand>(app, action, "replay", "one claim on one configuration again",
                     [](CLI::App& sub, ReplayCommand& c) {
                       sub.add_option("token", c.token, "as printed by a failure")->required();
                       sub.add_option("--subject", c.subject, "another subject than the token's");
                       add_console_options(sub, c.console);
                     });
  add<DefectsCommand>(app, action, "defects", "each planted defect against the claims",
                      [](CLI::App& sub, DefectsCommand& c) {
                        add_run_options(sub, c.run);
                        sub.add_option("--json", c.json,
                                       "write the matrix as JSON; - is standard output")
                            ->type_name("F");
                      });
  add<CalibrateCommand>(
      app, action, "calibrate", "declared against measured error rates",
      [](CLI::App& sub, CalibrateCommand& c) {
        sub.add_option("--seed", c.seed, "a number below 2^53, or random")->capture_default_str();
        sub.add_option("--json", c.json, "write the rates as JSON; - is standard output")
            ->type_name("F");
      });
  add<ReportCommand>(app, action, "report", "render a stored result again",
                     [](CLI::App& sub, ReportCommand& c) {
                       sub.add_option("result", c.input, "what `run --json` wrote")->required();
                       sub.add_flag("--strict", c.strict, "inconclusive counts as refuted");
                       add_console_options(sub, c.console);
                       add_outputs(sub, c.outputs);
                     });
  add<CompareCommand>(
      app, action, "compare", "what changed from one result to another",
      [](CLI::App& sub, CompareCommand& c) {
        sub.add_option("before", c.before, "a result, or a baseline's name")->required();
        sub.add_option("after", c.after, "a result, or a baseline's name")->required();
        sub.add_option("--alpha", c.alpha, "chance that unchanged claims show a shift anywhere")
            ->capture_default_str();
      });
}

void on_signal(int) { interrupted = true; }

int fail(int code, std::string_view line) {
  // Under mpirun all ranks meet the same mistake; one of them says it.
  if (Ranks::rank() == 0) fmt::print(stderr, "rootdk: {}\n", line);
  return code;
}

/// A first word that is no subcommand, as a message; CLI11 would only say that one is required.
std::string unknown_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  if (std::ranges::find(names, argv[1]) != names.end()) return {};
  return fmt::format("there is no command '{}'{}", argv[1], suggestion(argv[1], names));
}

}  // namespace

int command(int argc, char** argv) {
  CLI::App app("Verification of attention scaling, initialisation and their gradients.", "rootdk");
  app.set_version_flag("--version", std::string("rootdk ") + kVersion);
  app.require_subcommand(1);
  // A script may append an option to override an earlier one.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const Ranks ranks(argc, argv);
  Action action;
  add_subcommands(app, action);
  if (const std::string wrong = unknown_subcommand(app, argc, argv); !wrong.empty()) {
    return fail(kUsage, wrong);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return fail(kUsage, fmt::format("{} (rootdk --help shows the options)", error.what()));
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  try {
    return action();
  } catch (const Exit& exit) {
    return fail(exit.code, exit.what());
  } catch (const std::exception& error) {
    return fail(kUsage, error.what());
  }
}

}  // namespace rootdk
