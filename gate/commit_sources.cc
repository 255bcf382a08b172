#include "icount/gate/commit_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/gate/git_worktree.h"
#include "icount/mine/source_lexer.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kLargestSource = 64'000'000;

std::optional<std::string> source_text(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kLargestSource || error) return std::nullopt;
  try {
    return load_text(path);
  } catch (const Error&) {
    return std::nullopt;  // not readable is not at hand
  }
}

/// Texts of one commit, those of the diff's files and all that are expected later with one call of git each time.
class CommitTexts {
 public:
  CommitTexts(fs::path top, std::string commit, const Diff& diff, size_t side)
      : top_(std::move(top)), commit_(std::move(commit)) {
    for (const DiffFile& file : diff.files)
      if (!file.path(side).empty() && !file.is_binary && !file.is_submodule) wanted_.insert(file.path(side));
  }

  void expect(const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      if (language_of(path) && !texts_.contains(path)) wanted_.insert(path);
  }

  std::optional<std::string> text(const std::string& path) {
    if (const auto known = texts_.find(path); known != texts_.end()) return known->second;
    std::set<std::string> paths{path};
    if (wanted_.contains(path)) paths.swap(wanted_);
    if (has(path)) load(paths);
    return texts_[path];
  }

  /// Asks git once for all: profiles name hundreds of files.
  bool has(const std::string& path) {
    if (!files_) {
      files_.emplace();
      const std::string listed = git_bytes(top_, {"ls-tree", "-r", "-z", "--name-only", "--full-tree", commit_});
      for (const std::string_view name : split(listed, '\0')) files_->emplace(name);
    }
    return files_->contains(path);
  }

 private:
  /// git cat-file --batch: "HASH blob SIZE", the text and a line end for each; "... missing".
  void load(const std::set<std::string>& paths) {
    std::string input;
    std::vector<std::string> asked;
    for (const std::string& path : paths)
      if (path.find('\n') == std::string::npos) {
        input += fmt::format("{}:{}\n", commit_, path);
        asked.push_back(path);
      }
    const std::string output = git_bytes(top_, {"cat-file", "--batch"}, std::move(input));
    size_t at = 0;
    for (const std::string& path : asked) {
      const size_t end = output.find('\n', at);
      if (end == std::string::npos) return;
      const std::string_view head = std::string_view(output).substr(at, end - at);
      at = end + 1;
      const std::vector<std::string_view> words = split(head, ' ');
      if (words.size() != 3) continue;
      const auto size = parse_int64(words[2]);
      if (!size || *size < 0 || static_cast<size_t>(*size) > output.size() - at) return;
      if (words[1] == "blob") texts_[path] = output.substr(at, static_cast<size_t>(*size));
      at += static_cast<size_t>(*size) + 1;
    }
  }

  fs::path top_;
  std::string commit_;
  std::set<std::string> wanted_;
  std::optional<std::set<std::string>> files_;
  std::map<std::string, std::optional<std::string>> texts_;
};

/// Those of the words that git finds in sources of a commit; an empty one is the working tree.
std::set<std::string> find_words(const fs::path& top, const std::string& commit, const std::set<std::string>& words) {
  std::string patterns;
  for (const std::string& word : words) patterns += word + '\n';
  // "No such word" is exit status 1 of git grep: the shell's "or true" is a word that is always there.
  std::vector<std::string> command = {"grep", "-h", "-o", "-I", "-w", "-F", "-f", "-"};
  command.push_back(commit.empty() ? "--untracked" : commit);
  command.insert(command.end(), {"--", "*.[chHC]", "*.cc", "*.cpp", "*.cxx", "*.hpp", "*.hh", "*.hxx", "*.inc", "*.rs",
                                 "*.go", "*.tcc", "*.ipp", "*.inl"});
  std::set<std::string> found;
  try {
    const std::string output = git_bytes(top, command, std::move(patterns));
    for (const std::string_view line : split_lines(output)) found.emplace(line);
  } catch (const Error&) {
    // nothing is found
  }
  return found;
}

}  // namespace

CommitSources load_commit_sources(const fs::path& inside, const std::string& base, const std::string& head) {
  const fs::path top = git_output(inside, {"rev-parse", "--show-toplevel"});
  const std::string base_commit = resolve_commit(inside, base);
  const std::string head_commit = head.empty() ? std::string() : resolve_commit(inside, head);
  CommitSources sources;
  sources.base_name = base;
  sources.head_name = head.empty() ? "working tree" : head;
  std::vector<std::string> command = {"diff",
                                      "-U0",
                                      "-M",
                                      "--no-ext-diff",
                                      "--no-textconv",
                                      "--no-color",
                                      "--no-relative",
                                      "--src-prefix=a/",
                                      "--dst-prefix=b/",
                                      "--submodule=short",
                                      base_commit};
  if (!head_commit.empty()) command.push_back(head_commit);
  command.emplace_back("--");
  std::vector<std::string> new_files = head.empty() ? untracked_files(top) : std::vector<std::string>();
  std::erase_if(new_files, [](const std::string& file) { return !language_of(file); });
  const std::string text = diff_working_tree(top, command, new_files);
  if (!text.empty()) sources.diff = parse_diff(text, fmt::format("git diff {} {}", base, head));
  if (head.empty())
    sources.has_uncommitted =
        !new_files.empty() || !git_output(top, {"status", "--porcelain", "--untracked-files=no"}).empty();
  const auto base_texts = std::make_shared<CommitTexts>(top, base_commit, sources.diff, 0);
  const auto head_texts = std::make_shared<CommitTexts>(top, head_commit, sources.diff, 1);
  sources.text = [=](size_t side, const std::string& path) {
    if (side == 0) return base_texts->text(path);
    return head_commit.empty() ? source_text(top / path) : head_texts->text(path);
  };
  sources.expect = [=](size_t side, const std::vector<std::string>& paths) {
    (side == 0 ? base_texts : head_texts)->expect(paths);
  };
  sources.has = [=](size_t side, const std::string& path) {
    std::error_code error;
    if (side == 0) return base_texts->has(path);
    return head_commit.empty() ? fs::is_regular_file(top / path, error) : head_texts->has(path);
  };
  sources.find_words = [=](size_t side, const std::set<std::string>& words) {
    return find_words(top, side == 0 ? base_commit : head_commit, words);
  };
  sources.roots = {std::vector{top.string()}, std::vector{top.string()}};
  return sources;
}

CommitSources load_patch_sources(const fs::path& patch, const fs::path& folder) {
  CommitSources sources;
  sources.base_name = "before " + patch.string();
  sources.head_name = "after " + patch.string();
  sources.diff = parse_diff(load_text(patch), patch.string());
  auto numbers = std::make_shared<std::map<std::pair<size_t, std::string>, uint32_t>>();
  for (uint32_t i = 0; i < sources.diff.files.size(); ++i)
    for (size_t side = 0; side < 2; ++side) numbers->emplace(std::pair(side, sources.diff.files[i].path(side)), i);
  const auto diff = std::make_shared<const Diff>(sources.diff);
  sources.text = [=](size_t side, const std::string& path) -> std::optional<std::string> {
    const auto number = numbers->find({side, path});
    if (number == numbers->end()) return source_text(folder / path);
    const uint32_t file = number->second;
    // The folder has one of the sides: the one whose lines it has.
    if (const auto here = source_text(folder / path); here && other_text(*diff, file, side, *here)) return here;
    const std::string& there = diff->files[file].path(1 - side);
    if (there.empty()) return other_text(*diff, file, 1 - side, "");
    const auto other = source_text(folder / there);
    return other ? other_text(*diff, file, 1 - side, *other) : std::nullopt;
  };
  sources.has = [=](size_t side, const std::string& path) {
    std::error_code error;
    return numbers->contains({side, path}) || fs::is_regular_file(folder / path, error);
  };
  return sources;
}

}  // namespace icount
