#include "icount/harness/compile_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::string_view skip_blanks(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

/// <x> or "x" at the beginning of `text`; false: something else.
bool add_name(std::string_view text, IncludeNames& names) {
  text = skip_blanks(text);
  if (text.empty() || (text[0] != '"' && text[0] != '<')) return false;
  const size_t end = text.find(text[0] == '<' ? '>' : '"', 1);
  if (end == std::string_view::npos) return false;
  const std::string name(text.substr(1, end - 1));
  if (text[0] == '"') names.quoted.push_back(name);
  names.searched.push_back(name);
  return true;
}

/// What follows "#", its word first.
void read_directive(std::string_view text, IncludeNames& names) {
  text = skip_blanks(text);
  const size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), text.size());
  const std::string_view word = text.substr(0, end);
  if (word == "include" || word == "include_next" || word == "import") add_name(text.substr(end), names);
  if (word == "embed") names.unknown = "#embed reads a file";
}

void read_questions(std::string_view line, IncludeNames& names) {
  constexpr std::string_view kQuestion = "__has_include";
  for (size_t at = line.find(kQuestion); at != std::string_view::npos; at = line.find(kQuestion, at + 1)) {
    std::string_view rest = line.substr(at + kQuestion.size());
    if (rest.starts_with("_next")) rest.remove_prefix(5);
    rest = skip_blanks(rest);
    // Without a bracket it is asked whether the compiler knows the word; a "#define __has_include(x)" asks nothing.
    if (!rest.starts_with('(') || skip_blanks(line).starts_with("#define") || skip_blanks(line).starts_with("# define"))
      continue;
    if (!add_name(rest.substr(1), names)) names.unknown = "a macro names the file that __has_include asks for";
  }
}

fs::path folder_of_file(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

class Lookups {
 public:
  Lookups(const CompilerFacts& facts, ReuseRecord& record) : record_(record) {
    for (const auto* list : {&facts.quote_folders, &facts.include_folders, &facts.absent_folders})
      for (const std::string& folder : *list) folders_.push_back(fs::absolute(folder).string());
  }

  void add_text(std::string_view text, const fs::path& folder) {
    const IncludeNames names = find_include_names(text);
    for (const std::string& name : names.quoted)
      if (!folder.empty()) look_at((folder / name).string());
    for (const std::string& name : names.searched) look_everywhere(name);
    if (!names.unknown.empty()) record_.add_unknown(names.unknown);
  }

  /// However its name was put together.
  void add_found(const std::string& file) {
    for (const std::string& folder : folders_)
      if (file.size() > folder.size() + 1 && file.starts_with(folder) && file[folder.size()] == '/')
        look_everywhere(file.substr(folder.size() + 1));
  }

  /// What is there and was not read: __has_include asks for no more.
  void add_unread(const ReuseRecord& known) {
    for (const std::string& path : there_)
      if (!record_.contains(ChangeSource::kFile, path) && !known.contains(ChangeSource::kFile, path))
        record_.add_status(path);
  }

 private:
  void look_everywhere(const std::string& name) {
    if (!names_.insert(name).second) return;
    if (name.starts_with('/')) return look_at(name);
    for (const std::string& folder : folders_) look_at(folder + "/" + name);
  }

  void look_at(const std::string& path) {
    std::error_code error;
    if (!paths_.insert(path).second) return;
    if (fs::exists(path, error))
      there_.push_back(path);
    else
      record_.add_absent(path);
  }

  ReuseRecord& record_;
  std::vector<std::string> folders_;
  std::set<std::string> names_, paths_;
  std::vector<std::string> there_;
};

}  // namespace

IncludeNames find_include_names(std::string_view text) {
  IncludeNames names;
  for (const std::string_view line : split_lines(text)) {
    const std::string_view begin = skip_blanks(line);
    if (begin.starts_with('#')) read_directive(begin.substr(1), names);
    if (begin.starts_with("%:")) read_directive(begin.substr(2), names);
    if (line.find("__has_") != std::string_view::npos) read_questions(line, names);
  }
  if (text.find("__has_embed") != std::string_view::npos) names.unknown = "__has_embed asks for a file";
  if (text.find(".incbin") != std::string_view::npos) names.unknown = "the assembler reads a file (.incbin)";
  return names;
}

void add_lookups(const std::vector<fs::path>& files, std::string_view text, const CompilerFacts& facts,
                 const ReuseRecord& known, ReuseRecord& record) {
  Lookups lookups(facts, record);
  lookups.add_text(text, {});
  for (const fs::path& path : files) {
    const fs::path file = fs::absolute(path);
    if (known.contains(ChangeSource::kFile, file)) continue;
    record.add_file(file);
    lookups.add_found(file.string());
    try {
      lookups.add_text(load_regular_file(file), folder_of_file(file));
    } catch (const Error&) {  // a file that can't be read any more has changed
    }
  }
  lookups.add_unread(known);
}

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

std::vector<std::string> take_folders(std::vector<std::string>& flags) {
  std::vector<std::string> folders, others;
  for (size_t i = 0; i < flags.size(); ++i) {
    std::string_view name;
    for (const std::string_view flag : {"-I", "-isystem", "-iquote", "-idirafter"})
      if (flags[i].starts_with(flag)) name = flag;
    if (name.empty())
      others.push_back(flags[i]);
    else if (flags[i].size() > name.size())
      folders.push_back(flags[i].substr(name.size()));
    else if (i + 1 < flags.size())
      folders.push_back(flags[++i]);
  }
  flags = std::move(others);
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
