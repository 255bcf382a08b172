// What lies in a folder. std::filesystem's iterators end the process where memory runs out while they advance
// (libstdc++ 12), also those that take an error code.
#pragma once

#include <filesystem>
#include <vector>

namespace icount {

/// Paths of the entries, "." and ".." left out, in the order of their names. Error{kIo} "FOLDER: cannot be listed:
/// REASON".
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder);

/// The same; none where the folder is not there or cannot be listed.
std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder);

}  // namespace icount
