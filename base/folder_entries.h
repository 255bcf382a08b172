// What lies in a folder. std::filesystem's iterators end the process where memory runs out while they advance
// (libstdc++ 12), also those that take an error code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace icount {

/// Paths of the entries, "." and ".." left out, in the order of their names. Error{kIo} "FOLDER: cannot be listed:
/// REASON".
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder);

/// The same; none where the folder is not there or cannot be listed.
std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder);

/// Paths of the files in the folder and in the folders in it, but for those behind links to folders, in the order of
/// their names; behind one more than `most` no further ones are looked for. Error as of list_folder.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, size_t most = SIZE_MAX - 1);

}  // namespace icount
