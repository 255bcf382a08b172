#include "icount/suite/size_axis.h"

#include "icount/fuzzer/setup_source.h"
#include "icount/fuzzer/table_file.h"
#include "icount/stats/growth.h"

namespace icount {

std::vector<std::string> tensors_by_size(const FuzzAxis& axis, std::span<const int64_t> sizes, Language language) {
  std::vector<std::string> texts;
  if (axis.table.empty()) return std::vector<std::string>(sizes.size());
  const SetupLanguage setup = language == Language::kPython ? SetupLanguage::kPython : SetupLanguage::kCpp;
  for (const Sample& sample : Fuzzer(load_fuzzer_table(axis.table), axis.seed).along(axis.parameter, sizes))
    texts.push_back(make_setup(sample, TorchPosition{}, setup));
  return texts;
}

TimerArgs at_size(TimerArgs statement, int64_t size, const std::string& tensors) {
  for (std::string* text : {&statement.stmt, &statement.setup, &statement.global_setup}) *text = with_size(*text, size);
  statement.setup.insert(0, tensors);
  return statement;
}

}  // namespace icount
