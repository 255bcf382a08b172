// Callgrind's files of one run: with --separate-threads=yes one for each thread, of a run with dumps one for each part
// (unless --combine-dumps=yes). The file that was asked for stands for all of them. Used where profiles are loaded.
#pragma once

#include <filesystem>
#include <string>

#include "icount/base/file.h"

namespace icount {

/// What `path` holds, unpacked, as load_file reads it; of a run in several files, what they hold together, one behind
/// the other as --combine-dumps=yes has it, where `path` is the one that stands for all.
FileBytes load_run_file(const std::filesystem::path& path);

/// What is to be said of `path`, a profile of `bytes`: that it is added up of several files, or that it is one of
/// several and not the run. Empty where it is the run.
std::string describe_run_files(const std::filesystem::path& path, std::string_view bytes);

}  // namespace icount
