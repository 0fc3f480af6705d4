#include "daedal/io/markup.hpp"

namespace daedal::io {

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += is_control ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace daedal::io
