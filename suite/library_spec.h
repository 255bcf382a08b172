// What a suite measures besides LibTorch: the headers, sources and packages of the user's own library, as the
// definition file names them. suite/library_flags.h finds the packages' flags; the harness compiles with them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace icount {

/// A CMake package and the targets of it to link: find_package(name COMPONENTS ...).
struct CmakePackage {
  std::string name;
  std::vector<std::string> components;
  std::vector<std::string> targets;
  bool operator==(const CmakePackage&) const = default;
};

struct LibrarySpec {
  bool torch = true;                 ///< false: neither LibTorch's headers nor its libraries
  std::vector<std::string> headers;  ///< included by every C++ benchmark, "lib/vec.h" or "<lib/vec.h>"
  std::vector<std::filesystem::path> include_dirs;
  std::vector<std::filesystem::path> sources;  ///< compiled with the benchmarks
  std::string compiler;                        ///< program; empty: --compiler, CXX or c++
  std::string standard;                        ///< "c++17"; empty: C++20
  std::string build_type;                      ///< of CMake: Debug, Release, ...; empty: -O2 -DNDEBUG
  std::vector<std::string> flags;              ///< for the compiler, after those that standard and build_type mean
  std::vector<std::string> link_flags;         ///< for the link step, after everything else
  std::vector<std::string> pkg_config;         ///< pkg-config packages, "zlib" or "zlib >= 1.2"
  std::vector<CmakePackage> cmake_packages;
  bool operator==(const LibrarySpec&) const = default;
};

/// #include lines for the headers; one per header, in order.
std::string include_lines(const LibrarySpec& library);

}  // namespace icount
