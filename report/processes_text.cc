#include "icount/report/processes_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "icount/base/checked.h"
#include "icount/base/command_line.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// "cc1plus -quiet x.cc", cut to `width` bytes at most where that is not 0.
std::string command_line_text(const ResultProcess& process, size_t width) {
  std::vector<std::string> words = process.argv;
  if (words.empty()) words = {process.command};
  words[0] = process.command;
  const std::string text = shell_quote(words);
  return width == 0 || text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string count_text(const ResultProcess& process) {
  const auto count = median_count(process);
  return count ? with_thousands(*count) : "not counted";
}

/// "98.10 %"; empty for what has no count.
std::string share_text(const ResultProcess& process, const Result& result) {
  const auto own = median_count(process), total = median_count(result);
  if (!own || !total || *total <= 0) return {};
  return fmt::format("{:.2f}%", 100.0 * static_cast<double>(*own) / static_cast<double>(*total));
}

}  // namespace

Document make_processes_document(const Result& result, size_t width) {
  Document out;
  if (result.processes.empty()) return out;
  constexpr size_t kOtherColumns = 45, kNarrowest = 70;
  const size_t room = width == 0 ? 0 : std::max(width, kNarrowest) - kOtherColumns;
  Table table({{"count"}, {"share"}, {"end", Align::kLeft}, {"process", Align::kLeft}});
  for (const ResultProcess& process : result.processes)
    table.add_row({{count_text(process)},
                   {share_text(process, result)},
                   {process.status, process.status == "done" ? Tone::kDim : Tone::kNote},
                   {command_line_text(process, room), Tone::kPlain, Form::kName}});
  Document inside;
  inside.table(std::move(table));
  out.gap();
  out.fold("Processes", std::move(inside));
  return out;
}

std::vector<std::string> process_lines(const Result& result) {
  std::vector<std::string> lines;
  const std::vector<std::string> keys = process_keys(result);
  for (size_t i = 0; i < keys.size(); ++i) {
    const ResultProcess& process = result.processes[i];
    const std::string share = share_text(process, result);
    lines.push_back(fmt::format("process {}: {}{}{}", keys[i], count_text(process),
                                share.empty() ? "" : " (" + share + ")",
                                process.status == "done" ? "" : ", " + process.status));
  }
  return lines;
}

std::vector<std::string> process_change_lines(const Result& base, const Result& head) {
  std::map<std::string, int64_t> before;
  const std::vector<std::string> base_keys = process_keys(base), head_keys = process_keys(head);
  for (size_t i = 0; i < base_keys.size(); ++i)
    if (const auto count = median_count(base.processes[i])) before[base_keys[i]] = *count;
  std::vector<std::string> lines;
  for (size_t i = 0; i < head_keys.size(); ++i) {
    const auto found = before.find(head_keys[i]);
    const auto count = median_count(head.processes[i]);
    if (found == before.end() || !count || *count == found->second) continue;
    lines.push_back(fmt::format("process {}: {} -> {} ({})", head_keys[i], with_thousands(found->second),
                                with_thousands(*count),
                                with_sign(checked_sub(*count, found->second, "the change of a process"))));
  }
  return lines;
}

Json processes_to_json(const Result& result) {
  Json list = Json::array();
  const auto total = median_count(result);
  for (const ResultProcess& process : result.processes) {
    Json json{
        {"command", process.command}, {"argv", process.argv}, {"order", process.order}, {"status", process.status}};
    json["counts"] = process.counts;
    const auto own = median_count(process);
    const bool known = own && total && *total > 0;
    json["share"] = known ? Json(static_cast<double>(*own) / static_cast<double>(*total)) : Json(nullptr);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace icount
