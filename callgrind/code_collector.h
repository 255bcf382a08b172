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

  /// The part whose body begins now; one without Ir, or with other events than those before, has no inside.
  void start_part(const ProfilePart& part);

  bool wants(const Profile& profile, FunctionIndex function);

  // Each is called for wanted functions only: of a jump or a call, where one of the two is wanted.
  void add_row(FunctionIndex function, StringId file, uint64_t address, uint64_t line, std::span<const int64_t> costs);
  void add_jump(const Profile& profile, FunctionIndex function, CodeJump jump);
  void add_call(const Profile& profile, FunctionIndex caller, CodeCall call);

  /// What was gathered, with the profile's own indices and StringIds as files; empty where parts contradict each other
  /// or no jump was recorded.
  std::vector<FunctionCode> take();

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
};

}  // namespace icount
