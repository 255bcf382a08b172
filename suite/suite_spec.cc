#include "icount/suite/suite_spec.h"

#include <glob.h>

#include <algorithm>

#include "icount/suite/labels.h"

namespace icount {
std::string include_lines(const LibrarySpec& library) {
  std::string lines;
  for (const std::string& header : library.headers) {
    bool angled = header.starts_with('<');
    lines += angled ? "#include " + header + "\n" : "#include \"" + header + "\"\n";
  }
  return lines;
}

std::vector<GateLimit> gate_limits(const Suite& suite) {
  std::vector<const LimitsSection*> sections;
  for (const LimitsSection& section : suite.limits) sections.push_back(&section);
  std::stable_sort(sections.begin(), sections.end(),
                   [](const LimitsSection* a, const LimitsSection* b) { return a->label.size() < b->label.size(); });
  std::vector<GateLimit> limits;
  for (const LimitsSection* section : sections) {
    limits.push_back(section->limit);
    limits.back().section = to_text(section->label);
    limits.back().source = LimitSource::kSuiteFile;
  }
  return limits;
}

std::vector<Benchmark> materialize_suite(const Suite& suite, const ExpandOptions& options) {
  std::vector<Benchmark> benchmarks = materialize(suite.definitions, suite.name, options);
  const std::string includes = include_lines(suite.library);
  for (Benchmark& benchmark : benchmarks) {
    TimerArgs& args = benchmark.timer_args;
    if (!benchmark.is_statement()) continue;
    args.torch = suite.library.torch;
    if (args.language == Language::kCpp) args.global_setup = includes + args.global_setup;
  }
  return benchmarks;
}

namespace fs = std::filesystem;

std::vector<std::string> find_files(const std::string& pattern, const fs::path& folder) {
  const std::string whole = (folder / pattern).string();
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(whole.c_str(), GLOB_ERR, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      const fs::path file = found.gl_pathv[i];
      files.push_back(fs::path(pattern).is_absolute() || folder.empty() ? file.string()
                                                                        : file.lexically_relative(folder).string());
    }
  ::globfree(&found);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace icount
