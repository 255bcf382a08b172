#include "icount/console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <ostream>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr size_t kUsualWidth = 80;

std::optional<size_t> asked_width(const Environment& environment) {
  const auto columns = parse_int64(environment.get("COLUMNS").value_or(""));
  return columns && *columns > 0 && *columns < 10000 ? std::optional(static_cast<size_t>(*columns)) : std::nullopt;
}

size_t width_of(int fd, const Environment& environment) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return asked_width(environment).value_or(kUsualWidth);
}

}  // namespace

Terminal probe_terminal(int fd, const Environment& environment) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(fd) == 1;
  if (!terminal.is_terminal) {
    if (const auto width = asked_width(environment)) terminal.style.width = *width;
    return terminal;
  }
  const bool no_colour =
      !environment.get("NO_COLOR").value_or("").empty() || environment.get("TERM").value_or("") == "dumb";
  terminal.style.colour = !no_colour;
  terminal.style.width = width_of(fd, environment);
  return terminal;
}

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
