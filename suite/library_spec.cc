#include "icount/suite/library_spec.h"

namespace icount {

std::string include_lines(const LibrarySpec& library) {
  std::string lines;
  for (const std::string& header : library.headers) {
    bool angled = header.starts_with('<');
    lines += angled ? "#include " + header + "\n" : "#include \"" + header + "\"\n";
  }
  return lines;
}

}  // namespace icount
