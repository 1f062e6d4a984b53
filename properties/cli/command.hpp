#pragma once

namespace rootdk {

/// The command `rootdk`: reads its arguments, runs a subcommand, returns the exit code.
///
/// 0 all verified · 1 refuted or untrusted · 2 usage, unreadable input or unwritable output
/// (nothing run) · 3 inconclusive or broken · 4 nothing selected · 130 interrupted.
int command(int argc, char** argv);

}  // namespace rootdk
