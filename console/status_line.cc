#include "icount/console/status_line.h"

#include <ostream>

#include "icount/base/text.h"

namespace icount {

void StatusLine::say(std::string_view text) {
  if (text == shown_) return;
  std::string line = prefix_ + escape_for_terminal(text);
  if (!terminal_.is_terminal) {
    err_ << line << '\n' << std::flush;
  } else {
    line = shorten_middle(line, terminal_.style.width > 1 ? terminal_.style.width - 1 : 1);
    err_ << "\r\x1b[K" << line << std::flush;
  }
  shown_ = text;
}

void StatusLine::clear() {
  if (terminal_.is_terminal && !shown_.empty()) err_ << "\r\x1b[K" << std::flush;
  shown_.clear();
}

}  // namespace icount
