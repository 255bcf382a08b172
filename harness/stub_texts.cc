#include "icount/harness/stub_texts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "icount/base/check.h"
#include "icount/base/text.h"
#include "stub_child_text.h"
#include "stub_cpu_text.h"
#include "stub_device_text.h"
#include "stub_forks_text.h"
#include "stub_image_file_text.h"
#include "stub_image_text.h"
#include "stub_job_text.h"
#include "stub_kernel_text.h"
#include "stub_line_text.h"
#include "stub_main_text.h"
#include "stub_mappings_text.h"
#include "stub_memory_text.h"
#include "stub_objects_text.h"
#include "stub_prepare_text.h"
#include "stub_progress_text.h"
#include "stub_region_text.h"
#include "stub_reports_text.h"
#include "stub_resume_text.h"
#include "stub_server_text.h"
#include "stub_session_text.h"
#include "stub_slot_text.h"
#include "stub_snapshot_text.h"
#include "stub_symbols_text.h"
#include "stub_threads_text.h"

namespace icount {
namespace {

struct StubHeader {
  std::string_view name;
  std::string_view (*text)();
};
const StubHeader kHeaders[] = {{"stub_child.h", stub_child_text},       {"stub_cpu.h", stub_cpu_text},
                               {"stub_device.h", stub_device_text},     {"stub_forks.h", stub_forks_text},
                               {"stub_image.h", stub_image_text},       {"stub_image_file.h", stub_image_file_text},
                               {"stub_job.h", stub_job_text},           {"stub_kernel.h", stub_kernel_text},
                               {"stub_line.h", stub_line_text},         {"stub_main.h", stub_main_text},
                               {"stub_mappings.h", stub_mappings_text}, {"stub_memory.h", stub_memory_text},
                               {"stub_objects.h", stub_objects_text},   {"stub_prepare.h", stub_prepare_text},
                               {"stub_progress.h", stub_progress_text}, {"stub_region.h", stub_region_text},
                               {"stub_reports.h", stub_reports_text},   {"stub_resume.h", stub_resume_text},
                               {"stub_server.h", stub_server_text},     {"stub_session.h", stub_session_text},
                               {"stub_slot.h", stub_slot_text},         {"stub_snapshot.h", stub_snapshot_text},
                               {"stub_symbols.h", stub_symbols_text},   {"stub_threads.h", stub_threads_text}};

/// What `#include "stub_job.h"` names; empty for other lines, those of system headers too.
std::string_view included_stub_header(std::string_view line) {
  constexpr std::string_view kBegin = "#include \"stub_";
  const size_t quote = kBegin.find('"') + 1;
  return line.starts_with(kBegin) && line.ends_with('"') ? line.substr(quote, line.size() - quote - 1)
                                                         : std::string_view();
}

/// Adds `name` behind the headers that it includes, each once.
void add_header(std::string_view name, std::set<std::string_view>& added, std::string& out) {
  if (name == "stub_benchmark.h" || !added.insert(name).second) return;
  const auto* header = std::find_if(std::begin(kHeaders), std::end(kHeaders),
                                    [&](const StubHeader& candidate) { return candidate.name == name; });
  ICOUNT_CHECK(header != std::end(kHeaders), "a stub header that is not embedded is included");
  const auto lines = split_lines(header->text());
  for (const std::string_view line : lines)
    if (const std::string_view included = included_stub_header(line); !included.empty())
      add_header(included, added, out);
  out.append("#line 1 \"").append(name).append("\"\n");
  for (const std::string_view line : lines) {
    // The pragma would be the main file's.
    if (line != "#pragma once" && included_stub_header(line).empty()) out.append(line);
    out += '\n';
  }
}

}  // namespace

std::string make_stub_text(std::string_view header) {
  std::string out;
  std::set<std::string_view> added;
  add_header(header, added, out);
  return out;
}

std::vector<std::string> stub_headers() {
  std::vector<std::string> names;
  for (const StubHeader& header : kHeaders) names.emplace_back(header.name);
  return names;
}

}  // namespace icount
