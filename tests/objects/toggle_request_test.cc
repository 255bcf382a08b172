// Whether a program's file has the request that switches Callgrind's collection.
#include "icount/objects/toggle_request.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <string>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

/// An ELF file that loads `code`, followed by `debug`, which is not loaded.
std::string elf_file(const std::string& code, const std::string& debug) {
  Elf64_Ehdr header{};
  header.e_ident[EI_MAG0] = ELFMAG0;
  header.e_ident[EI_MAG1] = ELFMAG1;
  header.e_ident[EI_MAG2] = ELFMAG2;
  header.e_ident[EI_MAG3] = ELFMAG3;
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_X;
  segment.p_filesz = sizeof header + sizeof segment + code.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
         std::string(reinterpret_cast<const char*>(&segment), sizeof segment) + code + debug;
}

TEST(ToggleRequestTest, AFileMayToggleWhereItsCodeHasRequestsAndThatNumber) {
  // valgrind.h's preamble, and CALLGRIND_TOGGLE_COLLECT: 'C', 'T' and 2 as one number, in the order of this machine.
  const std::string preamble("\x48\xc1\xc7\x03\x48\xc1\xc7\x0d\x48\xc1\xc7\x3d\x48\xc1\xc7\x33", 16);
  const std::string toggle("\x02\x00TC", 4), dump("\x00\x00TC", 4);
  const ScratchDir folder;
  const auto may = [&](const std::string& code, const std::string& debug = {}) {
    save_file(folder.path() / "f", elf_file(code, debug));
    return may_toggle_collection(folder.path() / "f");
  };
  EXPECT_TRUE(may("xx" + preamble + "yy" + toggle + "z"));
  EXPECT_TRUE(may(toggle + preamble));
  EXPECT_FALSE(may(preamble + dump));
  EXPECT_FALSE(may(""));
#if defined(__x86_64__)
  EXPECT_FALSE(may(toggle + preamble.substr(0, 15)));
#endif
  EXPECT_FALSE(may(preamble + dump, toggle)) << "debug information lists the requests of callgrind.h";
  EXPECT_FALSE(may_toggle_collection(folder.path() / "none"));
}

}  // namespace
}  // namespace icount
