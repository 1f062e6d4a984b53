#pragma once

#include <string_view>

namespace rootdk::reports {

/// Files that are inlined into the page. They are part of the program, so that it writes the same
/// page from the build tree and from an install, and needs neither Node nor a network.
struct WebAssets {
  std::string_view style;  ///< web/page.css
  std::string_view page;   ///< web/page.js
  std::string_view plots;  ///< web/plots.js
  std::string_view temml;  ///< formulas; this and the following are empty when built without npm
  std::string_view vega, vega_lite, vega_embed;
  std::string_view licences;  ///< of all that is inlined
};

const WebAssets& web_assets();

/// Was the program built with the plotting libraries?
bool has_plots();

}  // namespace rootdk::reports
