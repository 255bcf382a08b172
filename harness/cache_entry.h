// What an entry of the build cache must still be when it is used: the files that it was made of. A power cut, a full
// disk, a failing disk or a curious user leave entries that are half there; used, they are wrong programs and counts of
// something else. Used by harness/build_cache.
#pragma once

#include <filesystem>

namespace icount {

/// Lists the folder's files, with length and hash, in a file of their own beside them, and has everything on the disk:
/// for the moment before the folder becomes an entry. Error{kIo} when that can't be done.
void seal_entry(const std::filesystem::path& folder);

/// Whether every file of that list is there, with its length and content. Files that came later do not matter.
bool is_intact_entry(const std::filesystem::path& folder);

}  // namespace icount
