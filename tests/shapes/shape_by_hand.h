// Code of one function written down by hand, for tests of its shape.
#pragma once

#include "icount/shapes/function_shape.h"

namespace icount {

/// Function 0; 1 and above are others. Every instruction is 4 bytes long unless told otherwise, at line = address.
class CodeByHand {
 public:
  CodeByHand& row(uint64_t address, int64_t executions) {
    code_.rows.push_back({address, 0, address, executions});
    code_.self.push_back(executions);
    return *this;
  }
  CodeByHand& jump(uint64_t from, uint64_t to, int64_t followed, FunctionIndex function = 0) {
    code_.jumps.push_back({from, function, to, followed});
    return *this;
  }
  CodeByHand& call(uint64_t from, FunctionIndex callee, uint64_t to, int64_t calls) {
    code_.calls.push_back({from, callee, to, calls});
    return *this;
  }
  CodeByHand& entry(uint64_t to, int64_t times, FunctionIndex from = 9, bool by_jump = false) {
    code_.entries.push_back({to, from, by_jump, times});
    return *this;
  }

  /// All functions numbered `pieces` and below are pieces of the function; a call to one of them is a call only if
  /// `recursive`.
  CodeFlow flow(FunctionIndex pieces = 0, bool recursive = true) {
    add_up_places(code_, 1);
    const FunctionCode* const piece = &code_;
    return make_code_flow(
        {&piece, 1}, 1, 0, 0, [=](FunctionIndex f) { return f <= pieces ? 0 : f; },
        [=](FunctionIndex, FunctionIndex) { return recursive; });
  }
  FunctionShape shape() { return make_shape(flow()); }

 private:
  FunctionCode code_;
};

}  // namespace icount
