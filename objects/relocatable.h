// What an object file, or the members of an archive, bring into a program, so that equal ones need not be told apart
// where two builds are mixed, and what of its types another object must agree with. Used by gate/object_proof.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace icount {

struct RelocatableFile {
  std::string content;  ///< hash of what is loaded, of its relocations and symbols: no debug information, no notes
  /// By its full name, size, places of members and virtual functions, and enumerators of each type that is completed in
  /// it; of all of a name together. Empty without debug information.
  std::map<std::string, std::string> layouts;
  bool is_for_link_time = false;  ///< code is made of it by the linker (LTO)
};

/// Error{kIo} when it can't be read, Error{kMalformed} when it is neither an object file nor an archive of them.
RelocatableFile load_relocatable(const std::filesystem::path& path);

}  // namespace icount
