// Which class templates a compiler completes at the end of every unit, although they stand in the precompiled header,
// and the text that completes them in the header instead. clang instantiates the virtual members of a class template
// whose virtual table is used at the end of the unit, never of a header: with LibTorch's that is most of the time that
// a small unit takes. harness/compile asks the compiler for a trace of an empty unit and precompiles this text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// The classes of which members were instantiated for their own sake, not for that of another instantiation, in order
/// of their names; `time_trace` is what clang's -ftime-trace -ftime-trace-granularity=0 wrote. Classes that a header
/// cannot name (local ones, those of unnamed namespaces) are left out. Error{kMalformed} when it is no such trace.
std::vector<std::string> find_late_classes(std::string_view time_trace);

/// A header that has the virtual members of every class instantiated where it is read. Nothing of it is emitted into
/// units.
std::string make_virtual_members_header(std::span<const std::string> classes);

}  // namespace icount
