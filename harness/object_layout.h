// Where the data of a compiled unit will lie in its program, settled before it is linked. Applied by harness/compile to
// each unit; the reasons are in docs/measuring.md, "Who else is in the program".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// Which class templates a compiler completes at the end of every unit, although they stand in the precompiled header,
// and the text that completes them in the header instead. clang instantiates the virtual members of a class template
// whose virtual table is used at the end of the unit, never of a header: with LibTorch's that is most of the time that
// a small unit takes. harness/compile asks the compiler for a trace of an empty unit and precompiles this text.

/// The classes of which members were instantiated for their own sake, not for that of another instantiation, in order
/// of their names; `time_trace` is what clang's -ftime-trace -ftime-trace-granularity=0 wrote. Classes that a header
/// cannot name (local ones, those of unnamed namespaces) are left out. Error{kMalformed} when it is no such trace.
std::vector<std::string> find_late_classes(std::string_view time_trace);

/// A header that has the virtual members of every class instantiated where it is read. Nothing of it is emitted into
/// units.
std::string make_virtual_members_header(std::span<const std::string> classes);

}  // namespace icount
