#include "icount/cli/event_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/derived_events.h"
#include "icount/callgrind/user_options.h"
#include "icount/stats/result.h"

namespace icount {

std::vector<std::string> read_event_options(const ParsedOptions& parsed) {
  EventRequest request;
  for (const std::string& list : parsed.texts("events"))
    for (const std::string_view name : split(list, ',')) {
      if (name == "cache")
        request.cache = true;
      else if (name == "branch")
        request.branch = true;
      else
        parsed.problem(fmt::format("--events {}: unknown; use cache, branch or both", name));
    }
  request.syscalls = parsed.has("syscalls");
  request.passed = parsed.texts("callgrind-option");
  if (parsed.has("cache") && !request.cache) parsed.problem("--cache is for --events cache");
  try {
    if (request.cache) request.sizes = probe_cache_sizes();
    for (const std::string& size : parsed.texts("cache")) set_cache_size(size, request.sizes);
    return make_callgrind_options(request);
  } catch (const Error& error) {
    for (const std::string_view line : split_lines(error.what())) parsed.problem(std::string(line));
  }
  return {};
}

void add_events_of(const LimitSet& limits, std::vector<std::string>& callgrind_options, bool& memory) {
  EventRequest request;
  for (const GateLimit& limit : limits.limits()) {
    memory |= is_memory_event(limit.event);
    const NeededEvents needed = needed_events(limit.event);
    request.cache |= needed.cache;
    request.branch |= needed.branch;
    request.syscalls |= needed.syscalls;
  }
  const auto has = [&](std::string_view option) {
    return std::find(callgrind_options.begin(), callgrind_options.end(), option) != callgrind_options.end();
  };
  request.cache &= !has("--cache-sim=yes");
  request.branch &= !has("--branch-sim=yes");
  request.syscalls &= !has("--collect-systime=yes");
  if (request.cache) request.sizes = probe_cache_sizes();
  for (std::string& option : make_callgrind_options(request)) callgrind_options.push_back(std::move(option));
}

}  // namespace icount
