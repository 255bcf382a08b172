#include "icount/harness/compile_inputs.h"

#include <fmt/format.h>

#include <system_error>

#include "icount/base/text.h"

namespace icount {

namespace fs = std::filesystem;

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

bool is_below(const fs::path& path, const fs::path& folder) {
  const std::string text = path.lexically_normal().string();
  const std::string base = folder.lexically_normal().string() + "/";
  return text.starts_with(base);
}

std::string place_of(std::string_view text, const std::vector<std::string>& flags) {
  bool depends = false;
  for (const char* word : {"include", "import", "incbin", "embed"})
    depends |= text.find(word) != std::string_view::npos;
  for (const std::string& flag : flags) {
    const bool is_value = !flag.starts_with('-');  // of "-I folder", "-include file"
    depends |= (is_value && !flag.starts_with('/')) || (flag.starts_with("-I") && flag.size() > 2 && flag[2] != '/');
  }
  return depends ? fs::current_path().string() : std::string();
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

std::vector<fs::path> parse_link_trace(std::string_view output) {
  std::vector<fs::path> files;
  for (std::string_view line : split_lines(output)) {
    line = trim(line);
    // "/x/libfoo.a(member.o)", of older ones "(/x/libfoo.a)member.o", "-lfoo (/x/libfoo.so)"
    if (const size_t bracket = line.find("(/"); bracket != std::string_view::npos)
      line = line.substr(bracket + 1, line.find(')', bracket) - bracket - 1);
    else if (line.ends_with(')'))
      line = line.substr(0, line.rfind('('));
    std::error_code error;
    if (!line.empty() && fs::is_regular_file(line, error)) files.emplace_back(line);
  }
  return files;
}

void add_library_lookups(const std::vector<std::string>& flags, ReuseRecord& record) {
  std::vector<fs::path> folders;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "-L" && i + 1 < flags.size())
      folders.emplace_back(flags[++i]);
    else if (flags[i].starts_with("-L"))
      folders.emplace_back(flags[i].substr(2));
  }
  for (const char* folder :
       {"/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib"})
    folders.emplace_back(folder);
  for (const std::string& flag : flags) {
    if (!flag.starts_with("-l")) continue;
    for (const fs::path& folder : folders)
      for (const char* suffix : {".so", ".a"}) {
        const fs::path library = folder / fmt::format("lib{}{}", flag.substr(2), suffix);
        std::error_code error;
        if (!fs::exists(library, error)) record.add_absent(library);
      }
  }
}

}  // namespace icount
