// Identity of a binary file: its GNU build id, or a hash of its bytes. Used for LibTorch, libc and cached programs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace icount {

/// The GNU build id of an ELF file in hex; empty when it has none, is no ELF file or can't be read.
std::string load_build_id(const std::filesystem::path& elf_file);

/// Where distributions keep the debug information of a build; empty for no build id.
std::filesystem::path separate_debug_file(std::string_view build_id);

/// The build id, else "hash-" and a content hash; empty when the file can't be read.
std::string load_file_identity(const std::filesystem::path& file);

/// A hash of the file's content; of one that has a build id and is larger than 64 MB (LibTorch), the build id. Empty
/// when the file can't be read.
std::string load_content_identity(const std::filesystem::path& file);

}  // namespace icount
