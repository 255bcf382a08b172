// Gathers what a profile says inside chosen functions while it is read: rows by address, jumps and call sites. Handed
// to the parser by ParseOptions::code; callgrind/code_reader.h makes a ProfileCode of it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/callgrind/profile.h"

namespace icount {

class CodeCollector {
 public:
  /// `wanted(name, object)`: whether a function's inside is kept. Asked once per function.
  explicit CodeCollector(std::function<bool(std::string_view name, std::string_view object)> wanted)
      : wanted_(std::move(wanted)) {}

  /// Keeps the inside of functions[f] for which it is true. Who enters them is told by add_entry.
  explicit CodeCollector(const std::vector<bool>& functions) : told_entries_(true) {
    for (const bool is_wanted : functions) wishes_.push_back(is_wanted ? Wish::kYes : Wish::kNo);
  }

  /// The part whose body begins now; one without Ir, or with other events than those before, has no inside.
  void start_part(const ProfilePart& part);

  bool wants(const Profile& profile, FunctionIndex function);

  // Each is called for wanted functions only: of a jump or a call, where one of the two is wanted.
  void add_row(FunctionIndex function, StringId file, uint64_t address, uint64_t line, std::span<const int64_t> costs);
  void add_jump(const Profile& profile, FunctionIndex function, CodeJump jump);
  void add_call(const Profile& profile, FunctionIndex caller, CodeCall call, std::span<const int64_t> costs);

  /// The function is one of those wanted.
  void add_entry(FunctionIndex function, const CodeEntry& entry) {
    if (usable_) code_of(function).entries.push_back(entry);
  }
  void tell_of_jumps() { has_jumps_ = true; }

  /// What was gathered since the last call, with the profile's own indices and StringIds as files.
  std::vector<FunctionCode> take();

  /// False where parts contradict each other or no jump was recorded: nothing that was taken is to be used.
  bool has_insides() const { return usable_ && has_jumps_; }

  /// The columns of what was taken; those of a profile may be more, where a part has no body.
  const std::vector<std::string>& events() const { return events_; }

 private:
  FunctionCode& code_of(FunctionIndex function);

  std::function<bool(std::string_view, std::string_view)> wanted_;
  enum class Wish : uint8_t { kUnknown, kNo, kYes };
  std::vector<Wish> wishes_;     // by function
  std::vector<uint32_t> place_;  // by function: its code's, plus 1
  std::vector<FunctionCode> found_;
  std::vector<std::string> events_;
  size_t executions_at_ = 0;  // column of Ir
  bool usable_ = true, has_jumps_ = false;
  bool told_entries_ = false;  // add_call and add_jump leave them out
};

}  // namespace icount
