#include "icount/callgrind/launcher.h"

#include "icount/base/file.h"
#include "icount/base/text.h"

namespace icount {

std::vector<std::string> make_launcher(const std::filesystem::path& valgrind, std::string_view script) {
  constexpr std::string_view kShell = "#!/bin/sh";
  constexpr std::string_view kDebian = "\nexec $0.bin \"$@\"", kCarried = "\nexec \"$0.bin\" \"$@\"";
  const std::string_view text = trim(script);
  const std::string_view last = text.ends_with(kDebian) ? kDebian : kCarried;
  if (!text.starts_with(kShell) || !text.ends_with(last)) return {valgrind.string()};
  std::vector<std::string> argv = {"/bin/sh"};
  const std::string_view options = trim(text.substr(kShell.size(), text.find('\n') - kShell.size()));
  if (!options.empty()) argv.emplace_back(options);
  argv.emplace_back("-c");
  argv.push_back(std::string(text.substr(0, text.size() - last.size())) + "\nunset PWD OLDPWD" + std::string(last));
  argv.push_back(valgrind.string());  // $0
  return argv;
}

std::vector<std::string> load_launcher(const std::filesystem::path& valgrind) {
  return make_launcher(valgrind, load_file(valgrind).view());
}

}  // namespace icount
