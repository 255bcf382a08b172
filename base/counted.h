// A number with its noun, as messages and tables say it: "1 run", "2,000 runs".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

/// "1 run" for (1, "run"), "2,000 runs" for (2000, "run"). For nouns whose plural is an s more.
std::string counted(int64_t count, std::string_view noun);

}  // namespace icount
