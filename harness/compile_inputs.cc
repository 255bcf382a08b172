#include "icount/harness/compile_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/file_reading.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"
#include "icount/harness/build_id.h"

namespace icount {

namespace fs = std::filesystem;

namespace {

/// Of the compiler, libstdc++, libc or the kernel.
bool is_toolchain_header(const fs::path& path) {
  const std::string text = path.string();
  if (is_below(path, "/usr/lib/gcc") || text.find("/lib/clang/") != std::string::npos) return true;
  if (is_below(path, "/usr/include/c++") || is_below(path, "/usr/include/linux") ||
      is_below(path, "/usr/include/asm-generic"))
    return true;
  const std::string multiarch = "/usr/include/x86_64-linux-gnu/";
  for (const char* folder : {"bits/", "sys/", "gnu/", "asm/", "c++/"})
    if (text.starts_with(multiarch + folder)) return true;
  return false;
}

}  // namespace

std::vector<fs::path> parse_depfile(std::string_view text) {
  std::vector<fs::path> paths;
  std::string word;
  bool past_colon = false;
  auto end_word = [&] {
    if (!word.empty() && past_colon) paths.emplace_back(word);
    if (!past_colon && word.ends_with(':')) past_colon = true;
    word.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      end_word();
      ++i;
    } else if (c == '\\' && i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '#')) {
      word += text[++i];
    } else if (c == ' ' || c == '\n' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return paths;
}

std::string hash_file(const fs::path& path) {
  try {
    return content_hash(load_regular_file(path));
  } catch (const Error&) {
    return "missing";
  }
}

bool inputs_hold(std::string_view inputs) {
  for (const std::string_view line : split_lines(inputs)) {
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos || hash_file(line.substr(blank + 1)) != line.substr(0, blank)) return false;
  }
  return true;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const std::string text = path.lexically_normal().string();
  const std::string base = folder.lexically_normal().string() + "/";
  return text.starts_with(base);
}

std::string place_of(std::string_view text, const std::vector<std::string>& flags) {
  bool relative = text.find("include \"") != std::string_view::npos || text.find("include\"") != std::string_view::npos;
  for (const std::string& flag : flags)
    relative |= flag == "-I" || (flag.starts_with("-I") && !flag.starts_with("-I/"));
  return relative ? fs::current_path().string() : std::string();
}

std::vector<std::string> include_folders(const std::vector<std::string>& flags) {
  std::vector<std::string> folders;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "-I" && i + 1 < flags.size())
      folders.push_back(flags[++i]);
    else if (flags[i].starts_with("-I") && flags[i].size() > 2)
      folders.push_back(flags[i].substr(2));
  }
  return folders;
}

std::string link_inputs(const std::vector<std::string>& flags) {
  std::string out;
  std::vector<fs::path> folders;
  auto add = [&out](const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return;
    const bool shared = path.extension() == ".so";
    out += (shared ? load_file_identity(path) : hash_file(path)) + " " + path.string() + "\n";
  };
  for (const std::string& flag : flags) {
    if (flag.starts_with("-L")) folders.push_back(flag.substr(2));
    if (!flag.starts_with('-')) add(flag);
    if (!flag.starts_with("-l")) continue;
    for (const fs::path& folder : folders)
      for (const char* suffix : {".so", ".a"}) add(folder / fmt::format("lib{}{}", flag.substr(2), suffix));
  }
  return out;
}

std::vector<fs::path> load_unit_headers(const fs::path& object, const std::vector<fs::path>& torch_folders,
                                        const fs::path& cache_root) {
  const fs::path depfile = object.parent_path() / "unit.d";
  std::error_code error;
  if (!fs::is_regular_file(depfile, error)) return {};
  std::set<fs::path> headers;
  for (const fs::path& path : parse_depfile(load_text(depfile))) {
    const std::string& text = path.native();
    const bool is_plain = text.starts_with('/') && text.find("/.") == std::string::npos;  // most are
    const fs::path whole = is_plain ? path : fs::absolute(path).lexically_normal();
    const auto contains = [&](const fs::path& folder) { return folder != "/usr/include" && is_below(whole, folder); };
    if (!is_toolchain_header(whole) && !is_below(whole, cache_root) &&
        std::none_of(torch_folders.begin(), torch_folders.end(), contains))
      headers.insert(whole);
  }
  return {headers.begin(), headers.end()};
}

}  // namespace icount
