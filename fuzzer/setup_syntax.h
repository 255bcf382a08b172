// The few constructs in which a C++ and a Python setup differ. Private to fuzzer/setup_source.cc in spirit:
// it knows LibTorch's spelling, not what a sample is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/fuzzer/setup_source.h"

namespace icount {

class SetupSyntax {
 public:
  explicit SetupSyntax(SetupLanguage language) : cpp_(language == SetupLanguage::kCpp) {}

  /// One line with its end.
  std::string statement(const std::string& text) const { return text + (cpp_ ? ";\n" : "\n"); }
  std::string definition(const std::string& name, const std::string& expression) const {
    return (cpp_ ? "torch::Tensor " : "") + name + " = " + expression;
  }
  /// torch::name(arguments)
  std::string function(std::string_view name, const std::string& arguments) const;
  /// {1, 2} or [1, 2]; an empty list in C++ is an IntArrayRef, since {} would name an overload of its own.
  std::string list(const std::vector<int64_t>& values) const;
  /// torch::kFloat or torch.float32
  std::string dtype(DType dtype) const;
  /// torch::name(before, size, dtype)
  std::string make(std::string_view name, const std::vector<int64_t>& size, DType dtype,
                   const std::string& before = {}) const;
  /// A 64-bit tensor of these numbers.
  std::string integers(const std::vector<int64_t>& values) const;
  /// 0, 1, ..., n-1 as 64-bit integers.
  std::string range(int64_t n) const;
  /// A list of tensor expressions.
  std::string tensors(const std::vector<std::string>& expressions) const;
  std::string floor_divide(const std::string& expression, int64_t divisor) const;
  /// Entries [first, past_last) of a vector.
  std::string part(const std::string& name, int64_t first, int64_t past_last) const;
  /// Every steps[d]-th entry of dimension d; `name` itself when all steps are 1.
  std::string slices(const std::string& name, const std::vector<int64_t>& size,
                     const std::vector<int64_t>& steps) const;
  /// Lines that draw and forget, at most `block` numbers at a time.
  std::string skip(const TorchPosition::Skip& skip, int64_t block) const;

 private:
  bool cpp_;
};

}  // namespace icount
