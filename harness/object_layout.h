// Where the data of a compiled unit will lie in its program, settled before it is linked. Applied by harness/compile to
// each unit; the reasons are in docs/measuring.md, "Who else is in the program".
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// The object file with every piece of its data (string literals, constants, static objects) at the beginning of a page
/// of its own: how a copy or a comparison of strings goes about its work depends on the place within the page, which
/// must not depend on the data of neighbours. Takes hold for sections of one object each (-ffunction-sections
/// -fdata-sections) and, with lld, for each string of a merged section. What is not a relocatable x86-64 or AArch64 ELF
/// file comes back unchanged.
std::string align_data_to_pages(std::string object);

/// The object file with its weak functions and constants (templates, inline functions, vtables) hidden: a library that
/// has the same ones goes on with its own. Exported, the program's come first, and what LibTorch costs would depend on
/// which of them the program's statements happen to use. Variables stay as they are: there must be one of each. What is
/// not a relocatable 64-bit ELF file comes back unchanged.
std::string hide_weak_definitions(std::string object);

}  // namespace icount
