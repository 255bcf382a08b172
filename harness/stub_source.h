// TimerArgs -> C++ text of a stub. Pure. The user's text is pasted as it is, on lines of its own, between #line
// directives: no substitution inside it, so that anything that is valid C++ stays so. harness/build compiles the
// result; harness/stubs/ holds the fixed parts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/timer_args.h"

namespace icount {

/// What a compiler calls the line behind the user's global set-up.
inline constexpr std::string_view kAfterGlobalSetup = "icount-after-global_setup";

/// Statements of one stub program, grouped into translation units; numbers index the TimerArgs given.
struct StubPlan {
  std::vector<std::vector<size_t>> units;
  bool torch = false;
};

struct StubPlanOptions {
  size_t unit_size = 32;  ///< statements per translation unit at most
  bool isolate = false;   ///< a program for each statement
};

/// Which statements share a program and a unit. What a statement counts must not depend on who shares its program: the
/// static objects of a global set-up are made before main and leave their traces on the heap, once for each unit. So
/// statements share a program when both use LibTorch or neither does, and when their global set-ups are equal or
/// include headers of the standard library and LibTorch alone; any other global set-up stands in a program of one unit,
/// four times the size. A statement with a handler for exceptions has a program of its own: how long the unwinder looks
/// for its frames depends on how many functions the program has. (Two definitions of one name in one program would also
/// silently become one.) Python statements (harness/python_stub) are a plan of their own, whatever their set-ups. A
/// text with preprocessor lines has a unit to itself, so that no macro reaches a neighbour.
std::vector<StubPlan> plan_stubs(std::span<const TimerArgs> statements, const StubPlanOptions& options = {});

/// Whether a global set-up may do something before main: it is more than lines that include headers of the standard
/// library and LibTorch.
bool acts_before_main(std::string_view global_setup);

/// How the user's texts are called in messages and debug information.
enum class TextNames {
  kPlain,     ///< "stmt", "setup", "global_setup": what people and profiles see
  kNumbered,  ///< "icount-3/stmt": which statement a compiler complains about
};

/// The text of one unit. `members` index `statements`; statement i registers as benchmark i. All members have the same
/// global set-up.
std::string make_stub_unit(std::span<const TimerArgs> statements, std::span<const size_t> members,
                           TextNames names = TextNames::kPlain);

/// A unit of the global set-up alone, which is to be whole: a brace that it leaves open is an error behind it.
std::string make_global_setup_unit(std::string_view global_setup);

/// The unit with main() and the server.
std::string make_stub_main(bool torch);

/// What every unit includes first: stub_benchmark.h and the headers that statements may use (LibTorch, the standard
/// library).
std::string make_stub_prelude(bool torch);

/// A whole program in one text, for --emit-stub: `c++ -std=c++20 -O2 stub.cc` builds it.
std::string make_whole_stub(std::span<const TimerArgs> statements);

/// "stmt" for names that a profile holds: takes the wrapping of generated functions away
/// ("icount_stub_3::icount_statement(icount_stub::Context&)" -> "stmt").
std::string plain_function_name(std::string_view name);

/// Number of the benchmark that a mangled or demangled name belongs to; -1 when it belongs to none.
long benchmark_of_name(std::string_view text);

// The headers of the stub server (harness/stubs) as one text, each behind those that it includes: what a stub's main
// unit (from stub_main.h) and the library of the Python server (harness/python_stub.h, from stub_server.h) are compiled
// with.

/// `header` ("stub_main.h") and what it includes, each headed by its #line; stub_benchmark.h, which units include
/// before, is not among them. Pure.
std::string make_stub_text(std::string_view header);

/// Every name that make_stub_text takes.
std::vector<std::string> stub_headers();

}  // namespace icount
