// What a cubin (the machine code of one GPU architecture, an ELF file) says by itself: its kernels with their bytes,
// registers, memory and parameters, the constants and addresses that their code refers to by place, and the source line
// of each instruction. No tool of the CUDA Toolkit is needed for it; kernels/sass.h disassembles.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"

namespace icount {

/// Bytes of one instruction, from Volta (sm_70) on.
inline constexpr uint64_t kSassBytes = 16;

struct KernelParameter {
  uint32_t ordinal = 0, offset = 0, size = 0;

  auto operator<=>(const KernelParameter&) const = default;
};

/// A place that the linker or the driver fills in.
struct CubinReference {
  uint64_t offset = 0;  ///< in the section
  uint32_t type = 0;
  std::string symbol;  ///< as stable_symbol() has it
  int64_t addend = 0;

  auto operator<=>(const CubinReference&) const = default;
};

/// A variable of the module: __constant__, __device__; in relocatable code __shared__ as well.
struct CubinVariable {
  std::string name;  ///< as stable_symbol() has it
  uint64_t offset = 0, size = 0;
  std::string content;  ///< what it holds at first, with the references in it

  auto operator<=>(const CubinVariable&) const = default;
};

/// A function with a section of its own: a kernel, or a device function that kernels call.
struct KernelCode {
  std::string name;      ///< as the linker knows it
  uint32_t symbol = 0;   ///< its number, which nvdisasm asks for
  bool is_entry = true;  ///< a kernel
  std::string_view code;
  uint32_t registers = 0;                   ///< of a thread
  uint64_t shared_bytes = 0;                ///< static, of a block; without the KiB that the runtime reserves
  uint64_t local_bytes = 0;                 ///< of a thread: spilled registers, arrays that are indexed, frames
  uint32_t max_threads = 0;                 ///< of a block, by __launch_bounds__ or __block_size__; 0: not said
  uint32_t parameter_base = 0;              ///< where parameters begin in bank 0
  std::vector<KernelParameter> parameters;  ///< by ordinal
  std::map<uint32_t, std::string> launch;   ///< all else that the driver is told, by attribute; no places, no versions
  std::vector<CubinReference> references;   ///< of the code, by offset
  std::string literals;                     ///< other banks: what the compiler put there, with the references in it
  std::map<uint64_t, uint32_t> lines;       ///< from this offset on: index into Cubin::lines
};

struct SourceLine {
  std::string file;
  uint64_t line = 0;

  auto operator<=>(const SourceLine&) const = default;
};

struct Cubin {
  FileBytes bytes;
  std::string name;                             ///< for messages
  bool is_ptx = false;                          ///< no machine code: kernels/ptx.h
  std::string arch;                             ///< "sm_90a"
  std::vector<KernelCode> functions;            ///< by name
  std::vector<CubinVariable> constants;         ///< bank 3, by offset
  std::map<uint64_t, CubinReference> pointers;  ///< bank 4, by offset
  std::vector<CubinVariable> globals;           ///< by name
  std::vector<SourceLine> lines;                ///< none without -lineinfo

  const KernelCode* find(std::string_view function) const;
};

/// The name without what nvcc makes of the file's path and content for names of internal linkage: it changes with each
/// edit of the file.
std::string stable_symbol(std::string_view symbol);

bool is_cubin(std::string_view bytes);

/// Error{kMalformed} "NAME: ..." for what is no cubin or is damaged.
Cubin parse_cubin(FileBytes bytes, std::string name);

/// The line of the instruction at `offset`; nullptr where none is known.
const SourceLine* line_at(const Cubin& cubin, const KernelCode& kernel, uint64_t offset);

}  // namespace icount
