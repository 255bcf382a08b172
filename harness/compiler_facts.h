// What a compiler would do here and now with these flags, as it tells when it is asked: itself, the compiler behind a
// wrapper, the folders that it searches, the flags that its surroundings add. A part of every key of what it makes.
#pragma once

#include <string>
#include <vector>

#include "icount/harness/toolchain.h"

namespace icount {

struct CompilerFacts {
  std::string identity;  ///< all that the answer says, the programs it names by content, variables, files in flags
  std::vector<std::string> quote_folders;    ///< searched for #include "", in this order, before the others
  std::vector<std::string> include_folders;  ///< searched for #include <>, in this order
  std::vector<std::string> absent_folders;   ///< would be searched, too, if they were there
};

/// Asks `toolchain`'s compiler, once for each toolchain and working directory of this process. Error{kTool} with its
/// words when it does not run.
CompilerFacts ask_compiler(const Toolchain& toolchain);

/// As a process that starts now knows nothing yet: for tests that change what compilers answer.
void forget_compiler_facts();

/// The variables that compilers and linkers get from us: those that are known to change what they make, which stand in
/// CompilerFacts::identity, and those that they need to run at all. No others: what depended on them could be reused
/// wrongly.
std::vector<std::string> compiler_environment();

/// Lines "IDENTITY PATH" of the files that flags name in whatever way: "@file", "--config=file", "-Wl,-T,file".
std::string files_in_flags(const std::vector<std::string>& flags);

/// `flags` with the words of response files ("@file") in their place, those that such files name, too.
std::vector<std::string> expand_response_files(const std::vector<std::string>& flags);

}  // namespace icount
