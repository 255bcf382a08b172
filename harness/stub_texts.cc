#include "icount/harness/stub_texts.h"

#include <string_view>
#include <utility>

#include "icount/base/text.h"
#include "stub_child_text.h"
#include "stub_line_text.h"
#include "stub_memory_text.h"
#include "stub_prepare_text.h"
#include "stub_server_text.h"
#include "stub_snapshot_text.h"

namespace icount {

std::string make_stub_server_text() {
  const std::pair<std::string_view, std::string_view> parts[] = {
      {"stub_line.h", stub_line_text()},         {"stub_memory.h", stub_memory_text()},
      {"stub_snapshot.h", stub_snapshot_text()}, {"stub_child.h", stub_child_text()},
      {"stub_prepare.h", stub_prepare_text()},   {"stub_server.h", stub_server_text()}};
  std::string out;
  for (const auto& [name, text] : parts) {
    out.append("#line 1 \"").append(name).append("\"\n");
    for (const std::string_view line : split_lines(text))
      if (line != "#pragma once")
        out.append(line).append("\n");  // it would be the main file's
      else
        out.append("\n");
  }
  return out;
}

}  // namespace icount
