// The segments of an ELF file: what harness/build_id finds build ids in, and harness/needed_libraries the loader that a
// program names. Pure.
#pragma once

#include <elf.h>

#include <optional>
#include <string_view>
#include <vector>

namespace icount {

/// The program headers of a 64-bit ELF file; nullopt when it is none, or is cut off before their end.
std::optional<std::vector<Elf64_Phdr>> parse_elf_segments(std::string_view bytes);

/// What lies in the file of a segment; nullopt when the file is cut off before its end.
std::optional<std::string_view> segment_content(std::string_view bytes, const Elf64_Phdr& segment);

}  // namespace icount
