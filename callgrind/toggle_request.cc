#include "icount/callgrind/toggle_request.h"

#include <string_view>

#include "icount/base/error.h"
#include "icount/base/file.h"

namespace icount {

bool may_toggle_collection(const std::filesystem::path& program) {
  constexpr std::string_view kNumber("\x02\x00TC", 4);  // 0x43540002, little endian
  try {
    return map_file(program).view().find(kNumber) != std::string_view::npos;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace icount
