// Saved CallgrindStats of a program that uses icount as a library: the four tables and the task, lossless, as one JSON
// object. `icount count --out` saves results with their graphs instead (store/result_file.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "icount/stats/callgrind_stats.h"

namespace icount {

/// Newest version of the format that this program reads, and the one it writes.
inline constexpr int kCallgrindStatsFormatVersion = 1;

/// The bytes of a whole file. The kept text of a profile is not written.
std::string callgrind_stats_text(const CallgrindStats& stats);

/// Error{kMalformed} beginning with `name` for anything but what callgrind_stats_text wrote, a newer version too.
CallgrindStats parse_callgrind_stats(std::string_view bytes, std::string_view name);

/// All or nothing (base/file.h, save_file).
void save_callgrind_stats(const std::filesystem::path& path, const CallgrindStats& stats);
CallgrindStats load_callgrind_stats(const std::filesystem::path& path);

}  // namespace icount
