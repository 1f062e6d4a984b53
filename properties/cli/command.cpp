#include <rootdk/properties/cli/command.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/version.hpp>

#include <fmt/format.h>

#include <csignal>
#include <exception>

namespace rootdk {
namespace {

void on_signal(int) { cli::interrupted = true; }

int fail(int code, std::string_view line) {
  fmt::print(stderr, "rootdk: {}\n", line);
  return code;
}

}  // namespace

int command(int argc, char** argv) {
  CLI::App app("Verification of attention scaling, initialisation and their gradients.", "rootdk");
  app.set_version_flag("--version", std::string("rootdk ") + kVersion);
  app.require_subcommand(1);
  cli::Action action;
  cli::add_run(app, action);
  cli::add_list(app, action);
  cli::add_explain(app, action);
  cli::add_plan(app, action);
  cli::add_replay(app, action);
  cli::add_defects(app, action);
  cli::add_report(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return fail(cli::kUsage, fmt::format("{} (rootdk --help shows the options)", error.what()));
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  try {
    return action();
  } catch (const cli::Exit& exit) {
    return fail(exit.code, exit.what());
  } catch (const std::exception& error) {
    return fail(cli::kUsage, error.what());
  }
}

}  // namespace rootdk
