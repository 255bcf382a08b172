#include "icount/mine/affected.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "icount/base/text.h"
#include "icount/mine/changed_source.h"
#include "icount/mine/path_match.h"

namespace icount {
namespace {

/// Whether `path` is what an include of `text` may mean.
bool ends_path(std::string_view path, std::string_view text) {
  return path == text || (path.ends_with(text) && path[path.size() - text.size() - 1] == '/');
}

/// The files that sources of a repository include, by name: folders of the compiler's search are not known, so that an
/// include may mean any file whose path it ends.
class Includes {
 public:
  explicit Includes(const CommitSources& commits) : commits_(commits) {}

  /// Whether a source includes the header, or a file that does.
  bool reaches(const std::string& source, const std::string& header) {
    std::set<std::string> seen;
    return reaches(source, header, seen);
  }

 private:
  bool reaches(const std::string& source, const std::string& header, std::set<std::string>& seen) {
    if (!seen.insert(source).second) return false;
    for (const std::string& text : of(source)) {
      if (ends_path(header, text)) return true;
      const std::string beside = (std::filesystem::path(source).parent_path() / text).lexically_normal();
      if (beside == header) return true;
      for (const std::string& path : {beside, text, "include/" + text, "src/" + text})
        if (!of(path).empty() && reaches(path, header, seen)) return true;
    }
    return false;
  }

  const std::vector<std::string>& of(const std::string& path) {
    const auto [at, fresh] = known_.try_emplace(path);
    const std::string text = (fresh && commits_.text ? commits_.text(0, path) : std::nullopt).value_or("");
    for (const std::string_view line : split_lines(text)) {
      std::string_view rest = trim(line);
      if (!rest.starts_with('#')) continue;
      rest = trim(rest.substr(1));
      if (!rest.starts_with("include")) continue;
      const size_t begin = rest.find_first_of("\"<"), end = rest.find_last_of("\">");
      if (begin == std::string_view::npos || end <= begin + 1) continue;
      const std::string_view name = rest.substr(begin + 1, end - begin - 1);
      if (name.find_first_of("./") != std::string_view::npos) at->second.emplace_back(name);  // not <vector>
    }
    return at->second;
  }

  const CommitSources& commits_;
  std::map<std::string, std::vector<std::string>> known_;
};

/// Text that no program is made of.
bool is_prose(std::string_view path) {
  return path.ends_with(".md") || path.ends_with(".rst") || path.ends_with(".adoc");
}

class AffectedSearch {
 public:
  AffectedSearch(const ExecutedLines& run, const CommitSources& commits)
      : run_(run), diff_(commits.diff), source_(commits), includes_(commits), whys_(run.results.size()) {
    PathMatch match = match_paths(run.files, diff_, 0, commits.roots[0]);
    files_ = std::move(match.repository);
    for (size_t result = 0; result < run.results.size(); ++result)
      for (const auto& [file, line] : run.results[result].lines)
        if (const uint32_t at = match.diff_file[file]; at != kNotInDiff && line > 0) executed_[at][line].insert(result);
  }

  Affected find() {
    check_sources();
    for (const DiffFile& file : diff_.files)
      if ((file.is_binary || file.is_submodule || !language_of(file.path())) && !is_prose(file.path()))
        reach_all(fmt::format("{} is no source whose use is known", file.path()));
    for (uint32_t hunk = 0; hunk < diff_.hunks.size(); ++hunk)
      if (const HunkText text = source_.text_of(hunk); text == HunkText::kCode || text == HunkText::kMoved)
        read_hunk(hunk);
    for (size_t i = 0; i < run_.results.size(); ++i) {
      const auto& [key, lines] = run_.results[i];
      if (whys_[i].empty() && !diff_.files.empty() && lines.empty()) whys_[i] = "its lines are not known";
      if (whys_[i].empty() && !found_.all_because.empty()) whys_[i] = found_.all_because[0];
      if (whys_[i].empty())
        found_.left_out.push_back(key);
      else
        found_.results.push_back({key, whys_[i]});
    }
    return std::move(found_);
  }

 private:
  void reach_all(std::string why) { found_.all_because.push_back(std::move(why)); }

  /// The run is of other sources where it executed lines that base has no code on.
  void check_sources() {
    size_t lines = 0, misfits = 0;
    for (const auto& [file, executed] : executed_)
      if (const SourceText* const text = source_.source(0, file))
        for (const auto& [line, results] : executed) {
          ++lines;
          misfits += line > text->code.size() || text->code[line - 1].empty();
        }
    if (misfits * 20 > lines)
      reach_all(
          fmt::format("the run is of other sources than the base: {} of {} lines that it executed have no code there",
                      misfits, lines));
  }

  std::string place(const DiffHunk& hunk) const {
    const bool is_removed = hunk.new_lines.count == 0;
    const LineRange& lines = is_removed ? hunk.old_lines : hunk.new_lines;
    const std::string& path = is_removed ? diff_.files[hunk.file].old_path : diff_.files[hunk.file].new_path;
    return lines.count > 1 ? fmt::format("{}:{}-{}", path, lines.first, lines.first + lines.count - 1)
                           : fmt::format("{}:{}", path, lines.first);
  }

  void read_hunk(uint32_t number) {
    const DiffHunk& hunk = diff_.hunks[number];
    for (const auto& [what, name] :
         {std::pair("macro", source_.macro_of(number)), std::pair("type", source_.type_of(number)),
          std::pair("initial value", source_.data_of(number))})
      if (!name.empty()) return reach_all(fmt::format("{} changes the {} `{}`", place(hunk), what, name));
    const std::vector<uint64_t> lines = source_.code_lines(number, 0);
    std::set<const SourceBlock*> blocks;
    bool is_outside = false;
    // Behind the line that new code follows, the function goes on or has ended.
    for (const uint64_t line : lines.empty() ? std::vector{hunk.old_lines.first + 1} : lines) {
      const SourceBlock* const block = source_.function_around(0, hunk.file, line);
      const bool begins = lines.empty() && block && block->first == line;
      if (block && !begins)
        blocks.insert(block);
      else
        is_outside = true;
    }
    bool is_reached = false;
    const auto& executed = executed_[hunk.file];
    for (const uint64_t line : lines)
      if (const auto at = executed.find(line); at != executed.end())
        for (const size_t result : at->second) {
          is_reached = true;
          if (!says_line_[result]) whys_[result] = fmt::format("executes {}", place(hunk));
          says_line_[result] = true;
        }
    for (const SourceBlock* const block : blocks)
      for (auto at = executed.lower_bound(block->first); at != executed.end() && at->first <= block->last; ++at)
        for (const size_t result : at->second) {
          is_reached = true;
          if (whys_[result].empty())
            whys_[result] = fmt::format("executes `{}`, changed at {}", block->name, place(hunk));
        }
    if (is_header(diff_.files[hunk.file].old_path)) is_reached |= reach_includers(hunk);
    if (is_outside && !is_new_function(number))
      return reach_all(fmt::format("{} changes code outside of functions", place(hunk)));
    if (!is_reached) found_.unreached.push_back(place(hunk));
  }

  /// What a header's function does may be folded into code that no line of it is left of.
  bool reach_includers(const DiffHunk& hunk) {
    const std::string& header = diff_.files[hunk.file].old_path;
    std::vector<bool> includes(files_.size());
    for (size_t file = 0; file < files_.size(); ++file)
      includes[file] = !files_[file].empty() && includes_.reaches(files_[file], header);
    bool is_reached = false;
    for (size_t result = 0; result < run_.results.size(); ++result) {
      const auto& lines = run_.results[result].lines;
      const auto at = std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return includes[one.first]; });
      if (at == lines.end()) continue;
      is_reached = true;
      if (whys_[result].empty())
        whys_[result] = fmt::format("executes {}, which includes what changed at {}", files_[at->first], place(hunk));
    }
    return is_reached;
  }

  /// A function that base does not have is reached by what calls it, which the diff changes as well.
  bool is_new_function(uint32_t hunk) const {
    const std::vector<uint64_t> lines = source_.code_lines(hunk, 1);
    return !lines.empty() && source_.code_lines(hunk, 0).empty() &&
           std::all_of(lines.begin(), lines.end(), [&](uint64_t line) {
             return source_.function_around(1, diff_.hunks[hunk].file, line) != nullptr;
           });
  }

  const ExecutedLines& run_;
  const Diff& diff_;
  ChangedSource source_;
  Includes includes_;
  std::vector<std::string> files_;                                     // below the repository's top folder, by index
  std::map<uint32_t, std::map<uint64_t, std::set<size_t>>> executed_;  // by file of the diff and line of base
  std::vector<std::string> whys_;
  std::map<size_t, bool> says_line_;
  Affected found_;
};

}  // namespace

Affected find_affected(const ExecutedLines& run, const CommitSources& commits) {
  return AffectedSearch(run, commits).find();
}

}  // namespace icount
