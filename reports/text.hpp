#pragma once

#include <string>
#include <string_view>

namespace rootdk::reports {

/// The text with every byte that is not part of valid UTF-8, and every control character other than
/// tab, line feed and carriage return, replaced by U+FFFD: what HTML and XML can hold.
std::string printable(std::string_view text);

/// `printable`, with & < > " ' as character references: safe between tags and in quoted attributes.
std::string escape_html(std::string_view text);

/// `printable` on one line, with the characters escaped that a Markdown table cell gives a meaning.
std::string escape_markdown(std::string_view text);

/// A count as people read it: "31,120", "2.31 million".
std::string count_text(double count);

/// A field of RFC 4180: quoted where it holds a comma, a quote or a line end.
std::string csv_field(std::string_view text);

}  // namespace rootdk::reports
