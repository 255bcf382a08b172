#include "icount/mine/diff_hunks.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

std::string_view without_cr(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// A path as git quotes it: "sp\303\244t.c", or as it is.
std::string unquoted(std::string_view path) {
  if (path.size() < 2 || path.front() != '"' || path.back() != '"') return std::string(path);
  path = path.substr(1, path.size() - 2);
  std::string plain;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '\\' || i + 1 == path.size()) {
      plain += path[i];
      continue;
    }
    const char next = path[++i];
    if (next >= '0' && next <= '7') {
      unsigned value = 0;
      size_t digits = 0;
      for (; digits < 3 && i + digits < path.size() && path[i + digits] >= '0' && path[i + digits] <= '7'; ++digits)
        value = value * 8 + static_cast<unsigned>(path[i + digits] - '0');
      plain += static_cast<char>(value);
      i += digits - 1;
    } else {
      plain += next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next;
    }
  }
  return plain;
}

/// Behind "--- " or "+++ "; diff -u adds a tab and the file's time.
std::string path_of(std::string_view words) {
  if (!words.starts_with('"')) words = words.substr(0, words.find('\t'));
  return unquoted(trim(words));
}

/// Reads "12,3" at the begin of `text`.
std::optional<LineRange> take_range(std::string_view& text) {
  LineRange range{0, 1};
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, range.first);
  if (error != std::errc()) return std::nullopt;
  if (at != end && *at == ',') {
    const auto counted = std::from_chars(at + 1, end, range.count);
    if (counted.ec != std::errc()) return std::nullopt;
    at = counted.ptr;
  }
  constexpr uint64_t kMostLines = uint64_t{1} << 40;
  if (range.first > kMostLines || range.count > kMostLines) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(at - text.data()));
  return range;
}

/// "@@ -12,3 +12,4 @@".
std::optional<std::pair<LineRange, LineRange>> hunk_head(std::string_view line) {
  if (!line.starts_with("@@ -")) return std::nullopt;
  line.remove_prefix(4);
  const auto old_lines = take_range(line);
  if (!old_lines || !line.starts_with(" +")) return std::nullopt;
  line.remove_prefix(2);
  const auto new_lines = take_range(line);
  if (!new_lines || !line.starts_with(" @@")) return std::nullopt;
  return std::pair(*old_lines, *new_lines);
}

class DiffReader {
 public:
  DiffReader(std::string_view text, std::string_view name) : lines_(split_lines(text)), name_(name) {}

  Diff read() {
    while (at_ < lines_.size()) {
      const std::string_view line = without_cr(lines_[at_]);
      if (line.starts_with("diff --cc ") || line.starts_with("diff --combined ") || line.starts_with("@@@ "))
        fail("this is the combined diff of a merge; give the diff of two commits");
      if (line.starts_with("diff --git ")) {
        open_file();
        read_git_head(line);
      } else if (line.starts_with("--- ") && at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("+++ ")) {
        read_names();
        continue;
      } else if (hunk_head(line)) {
        read_hunk();
        continue;
      } else if (file_) {
        read_extended(line);
      }
      ++at_;
    }
    if (diff_.files.empty()) fail("no file of a unified diff in it (`git diff` writes one)");
    return std::move(diff_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", name_, std::min(at_ + 1, lines_.size()), what));
  }

  void open_file() {
    file_ = static_cast<uint32_t>(diff_.files.size());
    diff_.files.emplace_back();
    is_named_ = false;
  }

  DiffFile& file() { return diff_.files[*file_]; }

  /// "diff --git a/x b/x": names the file where nothing else does (its mode alone changed, it is binary).
  void read_git_head(std::string_view line) {
    std::string_view names = line.substr(std::string_view("diff --git ").size());
    if (names.starts_with('"')) return;
    const size_t half = names.size() / 2;  // both names are the same but for their first letter
    if (names.size() % 2 == 0 || names[half] != ' ') return;
    set_names(std::string(names.substr(0, half)), std::string(names.substr(half + 1)));
  }

  void read_extended(std::string_view line) {
    const auto take = [&](std::string_view word) -> std::optional<std::string_view> {
      if (!line.starts_with(word)) return std::nullopt;
      return line.substr(word.size());
    };
    if (const auto from = take("rename from ")) file().old_path = unquoted(*from);
    if (const auto to = take("rename to ")) file().new_path = unquoted(*to);
    if (take("new file mode ")) file().old_path.clear();
    if (take("deleted file mode ")) file().new_path.clear();
    if (take("Binary files ") || take("GIT binary patch")) file().is_binary = true;
    if (line.ends_with(" 160000") || line.starts_with("Submodule ")) file().is_submodule = true;
  }

  /// "--- a/x" and "+++ b/x".
  void read_names() {
    if (!file_ || is_named_) open_file();
    set_names(path_of(without_cr(lines_[at_]).substr(4)), path_of(without_cr(lines_[at_ + 1]).substr(4)));
    is_named_ = true;
    at_ += 2;
  }

  /// Without the prefixes of the two sides: a/ and b/, or folders that alone differ.
  void set_names(std::string old_path, std::string new_path) {
    const auto rest_of = [](const std::string& path) { return path.substr(path.find('/') + 1); };
    const bool none = old_path == "/dev/null" || new_path == "/dev/null";
    const std::string one = old_path == "/dev/null" ? new_path : old_path;
    const bool has_prefix = none ? one.starts_with("a/") || one.starts_with("b/")
                                 : (old_path.starts_with("a/") && new_path.starts_with("b/")) ||
                                       (old_path != new_path && rest_of(old_path) == rest_of(new_path));
    for (std::string* path : {&old_path, &new_path}) {
      if (*path == "/dev/null")
        path->clear();
      else if (has_prefix)
        *path = rest_of(*path);
    }
    file().old_path = std::move(old_path);
    file().new_path = std::move(new_path);
  }

  void read_hunk() {
    if (!file_) fail("a hunk that no file stands before");
    const auto [old_lines, new_lines] = *hunk_head(without_cr(lines_[at_]));
    uint64_t old_left = old_lines.count, new_left = new_lines.count;
    // Of a side without lines the head names the line before.
    uint64_t old_line = old_lines.first + (old_lines.count == 0 ? 1 : 0),
             new_line = new_lines.first + (new_lines.count == 0 ? 1 : 0);
    bool open = false;
    for (++at_; old_left + new_left > 0; ++at_) {
      if (at_ == lines_.size()) fail("the diff ends within a hunk");
      const std::string_view line = lines_[at_];
      const char kind = line.empty() ? ' ' : line[0];
      if (kind == '\\') continue;
      if ((kind != '-' && kind != '+' && kind != ' ' && kind != '\r') || (kind == '-' && old_left == 0) ||
          (kind == '+' && new_left == 0) || (kind != '-' && kind != '+' && (old_left == 0 || new_left == 0)))
        fail("the hunk has other lines than its head says");
      if (kind == '-' || kind == '+') {
        if (!open) diff_.hunks.push_back({*file_, {old_line, 0}, {new_line, 0}, {}, {}});
        open = true;
        (kind == '-' ? diff_.hunks.back().removed : diff_.hunks.back().added).emplace_back(line.substr(1));
      } else {
        close(open);
      }
      if (kind != '+') ++old_line, --old_left;
      if (kind != '-') ++new_line, --new_left;
    }
    close(open);
    while (at_ < lines_.size() && lines_[at_].starts_with('\\')) ++at_;
  }

  void close(bool& open) {
    if (!open) return;
    DiffHunk& hunk = diff_.hunks.back();
    hunk.old_lines.count = hunk.removed.size();
    hunk.new_lines.count = hunk.added.size();
    if (hunk.removed.empty()) --hunk.old_lines.first;
    if (hunk.added.empty()) --hunk.new_lines.first;
    open = false;
  }

  std::vector<std::string_view> lines_;
  std::string_view name_;
  Diff diff_;
  size_t at_ = 0;
  std::optional<uint32_t> file_;
  bool is_named_ = false;
};

}  // namespace

Diff parse_diff(std::string_view text, std::string_view name) { return DiffReader(text, name).read(); }

std::optional<std::string> other_text(const Diff& diff, uint32_t file, size_t side, std::string_view text,
                                      const std::vector<bool>& chosen) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::string other;
  uint64_t line = 1;
  const auto copy_until = [&](uint64_t end) {
    for (; line < end && line <= lines.size(); ++line) other.append(lines[line - 1]) += '\n';
  };
  for (uint32_t h = 0; h < diff.hunks.size(); ++h) {
    const DiffHunk& hunk = diff.hunks[h];
    if (hunk.file != file) continue;
    const LineRange& here = hunk.lines(side);
    const uint64_t first = here.count == 0 ? here.first + 1 : here.first;
    if (first < line || first - 1 + here.count > lines.size()) return std::nullopt;
    copy_until(first);
    for (size_t i = 0; i < here.count; ++i)
      if (without_cr(lines[line - 1 + i]) != without_cr(hunk.text(side)[i])) return std::nullopt;
    if (!chosen.empty() && !chosen[h]) continue;  // copied with what follows
    line += here.count;
    for (const std::string& one : hunk.text(1 - side)) other.append(one) += '\n';
  }
  copy_until(lines.size() + 1);
  return other;
}

}  // namespace icount
