// What Valgrind itself says in its log about a process: instructions it does not know. Pure; made for the log of a stub
// server, where several processes write.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// An instruction that ended a process with SIGILL because Valgrind does not know it.
struct UnhandledInstruction {
  std::string bytes;            ///< "0x62 0xF1 0x7D 0x48 ..."
  std::string address;          ///< "0x109139"; empty when the log does not say
  bool avx512 = false;          ///< the first byte is the EVEX prefix
  std::string where;            ///< "kernel (avx.c:3)", its function; empty when the log does not say
  std::string object;           ///< the file that has it; empty where Valgrind itself reads lines
  uint64_t object_address = 0;  ///< of the object's own
};

/// What the log says about process `pid`, 0: about the first that it names; nullopt when it met no such instruction (an
/// `ud2` of the program's own is none).
std::optional<UnhandledInstruction> find_unhandled_instruction(std::string_view log, int pid);

/// Programs that Valgrind refused to start because they are setuid, setgid or have capabilities; each once, in order.
std::vector<std::string> find_refused_programs(std::string_view log);

/// What a program asked of Callgrind that takes something out of its count.
struct CountingRequests {
  bool zeroed = false;        ///< CALLGRIND_ZERO_STATS: what ran before is not counted
  bool switched_off = false;  ///< CALLGRIND_STOP_INSTRUMENTATION, or the monitor's command: what ran from there to the
                              ///< next START is not counted
  std::string uncollected;    ///< what gives away that collection was switched off (callgrind/call_count_trust.h)
};

/// Of all processes in the log, which must have been written with -v -v. Switching collection is not logged.
CountingRequests find_counting_requests(std::string_view log);

/// Valgrind's own words for why it gave a process up or could not write its profile, and what they mean where they do
/// not say it; empty when it said nothing.
std::string find_valgrinds_reason(std::string_view log);

/// The file whose debug information Valgrind ended itself over; empty when it did not.
std::string find_unreadable_object(std::string_view log);

/// Whether a program mapped executable memory that a memfd or a deleted file backs, as JIT compilers do that write
/// through another view of it. Unless told, Valgrind runs the code that it saw there first.
bool maps_unlinked_code(std::string_view log);

/// What lets a program do something else in its next run, as icount's own counter saw it ask.
struct Chance {
  std::vector<std::string> sources;  ///< "the clock", "random numbers", "its process id", "the order of its threads"
  bool changes_files = false;        ///< another run may find what this one left
};

/// Of all processes in the log; nothing is known of what Callgrind counted.
Chance find_chance(std::string_view log);

/// A remark when the program's main thread ran out of its stack; empty otherwise.
std::string describe_stack_overflow(std::string_view log);

/// One line for the user: the instruction (`text`, "vpxorq %zmm0, ..."; its bytes where that is empty), its function,
/// the flag that avoids it.
std::string describe(const UnhandledInstruction& instruction, std::string_view text = {});

/// A remark when Valgrind said that it could not read some object's debug information; empty otherwise. The counts are
/// right then, source lines are missing (clang 14 writes DWARF 5, which Valgrind 3.19 reads in part).
std::string describe_unread_debug_information(std::string_view log);

}  // namespace icount
