// Noise groups: functions whose cost reacts to things nobody changed (where memory lies, which libc variant runs, what
// is loaded). A group is a list of rules, as data; explain() folds causes of one group into one line, and denoise()
// drops them. Nothing here judges whether a group is noise in a given comparison.
#pragma once

#include <span>
#include <string_view>

namespace icount {

/// A name (without level and clone tags) and the file name of its object, both as globs: '*' stands for any text, also
/// none. An empty object glob fits every object, also a statically linked program.
struct NoiseRule {
  std::string_view group;
  std::string_view name;
  std::string_view object = {};
};

inline constexpr std::string_view kAllocatorGroup = "allocator", kLoaderGroup = "dynamic loader",
                                  kGoGroup = "Go runtime", kUnwindingGroup = "unwinding of exceptions";

/// All rules, grouped. Groups: "allocator", "dynamic loader", "libc strings", "locks", "hashing", "unwinding of
/// exceptions", and what a language does beside the program: "Go runtime", "OCaml's garbage collector", Lua's and
/// Python's.
std::span<const NoiseRule> noise_rules();

/// Group of the first rule that fits; empty when none does. `name` may carry clone tags and a recursion level,
/// `object` a whole path.
std::string_view noise_group_of(std::string_view name, std::string_view object);

/// Whether the function is of the group "libc strings": a routine of which the C library picks a variant at run time.
bool is_libc_string_routine(std::string_view name, std::string_view object);

/// Whether `text` fits `glob`; '*' is the only special character.
bool matches_glob(std::string_view text, std::string_view glob);

}  // namespace icount
