// Whether a file is called as data is: a run bit, which copies from other file systems have by themselves, makes no
// program of it (inputs/diff_side.h).
#pragma once

#include <filesystem>

namespace icount {

/// By the last part of the path alone, in letters of either case: "x.icount", "e.expected", "callgrind.out.7",
/// "profile.out", also as backups and copies ("r.icount.bak", "x.json~", "x.ICOUNT.1", "x.icount (2)").
bool is_named_like_data(const std::filesystem::path& path);

}  // namespace icount
