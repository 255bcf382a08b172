// The values of one sample by name, in declaration order. Names are shared between all samples of a fuzzer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "icount/fuzzer/parameter_value.h"

namespace icount {

class ParameterSet {
 public:
  using Names = std::shared_ptr<const std::vector<std::string>>;

  ParameterSet() : names_(std::make_shared<const std::vector<std::string>>()) {}
  explicit ParameterSet(Names names) : names_(std::move(names)), values_(names_->size()) {}

  size_t size() const { return values_.size(); }
  const std::string& name(size_t at) const { return (*names_)[at]; }
  const ParameterValue& value(size_t at) const { return values_[at]; }
  ParameterValue& value(size_t at) { return values_[at]; }

  /// nullptr for a name that no parameter has.
  const ParameterValue* find(std::string_view name) const;
  /// Error{kUsage} "no parameter 'q4'".
  const ParameterValue& at(std::string_view name) const;
  /// Error{kUsage} also when the value is no integer.
  int64_t integer(std::string_view name) const;
  /// An integer, number or truth value (1, 0) as a number; Error{kUsage} for a word.
  double number(std::string_view name) const;
  bool truth(std::string_view name) const;

  /// Replaces each alias by the value at the end of its chain. Error{kUsage} for a cycle ("a -> b -> a") and
  /// for a target that no parameter has.
  void resolve_aliases();

 private:
  const ParameterValue& end_of_chain(size_t start) const;
  std::string chain_text(size_t start) const;

  Names names_;
  std::vector<ParameterValue> values_;
};

}  // namespace icount
