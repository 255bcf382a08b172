// Every recorded case of PyTorch: walks all *.json below the goldens' folder and hands each case to the
// check of its kind. Kinds that no check covers are skipped by name, so that other sets of the same form show
// what is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "goldens/golden_checks.h"
#include "support/golden.h"

namespace icount {
namespace {

const std::map<std::string, GoldenCheck>& checks() {
  static const std::map<std::string, GoldenCheck> kChecks{
      {"select_unit", check_select_unit},
      {"trim_sigfig", check_trim_sigfig},
      {"unit_to_english", check_unit_to_english},
      {"cleanup", check_cleanup},
      {"task_spec", check_task_spec},
      {"task_spec_equal", check_task_spec_equal},
      {"ordered_unique", check_ordered_unique},
      {"op", check_op},
      {"sum", check_sum},
      {"chain", check_chain},
      {"text", check_counts_text},
      {"callgrind_stats", check_callgrind_stats},
      {"delta", check_delta},
      {"as_standardized", check_as_standardized},
      {"standardize_name", check_standardize_name},
      {"measurement", check_measurement},
      {"measurement_raises", check_measurement_raises},
      {"merge", check_merge},
      {"compare", check_compare},
      {"compare_raises", check_compare_raises},
      {"timing_loop", check_timing_loop},
  };
  return kChecks;
}

/// Kinds that another test program reads, and which.
const std::map<std::string, std::string>& elsewhere() {
  static const std::map<std::string, std::string> kElsewhere{
      {"numpy_stream", "fuzzer_test"},
      {"op_fuzzer_definition", "fuzzer_test"},
      {"op_fuzzer", "fuzzer_test"},
      {"custom_fuzzer", "fuzzer_test"},
      {"take_again", "fuzzer_test"},
      {"fuzzer_raises", "fuzzer_test"},
      {"reference_defect", "fuzzer_test"},
      {"tensor_values", "fuzzer_test and fuzzer_torch_test"},
      {"op_fuzzer_values", "fuzzer_test and fuzzer_torch_test"},
      {"suite_keys", "suite_test"},
  };
  return kElsewhere;
}

struct Group {
  std::string file;
  std::string kind;
  std::vector<Json> cases;
};

// One group per file and kind, in the files' order.
std::vector<Group> load_groups() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(torch_goldens())) {
    std::string name = std::filesystem::relative(entry.path(), torch_goldens()).string();
    if (name.ends_with(".json.xz")) name.resize(name.size() - 3);
    if (name.ends_with(".json")) files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  std::vector<Group> groups;
  for (const std::string& file : files) {
    size_t first = groups.size();
    for (Json& golden : load_cases(file)) {
      std::string kind = golden.at("kind");
      auto same = std::find_if(groups.begin() + first, groups.end(), [&](const Group& g) { return g.kind == kind; });
      if (same == groups.end()) same = groups.insert(same, {file, kind, {}});
      same->cases.push_back(std::move(golden));
    }
  }
  return groups;
}

const std::vector<Group>& groups() {
  static const std::vector<Group> kGroups = load_groups();
  return kGroups;
}

class GoldenKindTest : public testing::TestWithParam<size_t> {};

TEST_P(GoldenKindTest, IsMetByEveryCase) {
  const Group& group = groups()[GetParam()];
  auto check = checks().find(group.kind);
  if (check == checks().end()) {
    auto other = elsewhere().find(group.kind);
    if (other != elsewhere().end())
      GTEST_SKIP() << group.kind << " (" << group.file << ", " << group.cases.size() << " cases) is read by "
                   << other->second;
    GTEST_SKIP() << group.kind << " (" << group.file << ", " << group.cases.size()
                 << " cases): no part covers this kind yet";
  }
  for (const Json& golden : group.cases) {
    SCOPED_TRACE(group.file + ": " + golden.at("name").get<std::string>());
    check->second(golden);
  }
}

std::vector<size_t> group_indices() {
  std::vector<size_t> indices(groups().size());
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  return indices;
}

INSTANTIATE_TEST_SUITE_P(PyTorch, GoldenKindTest, testing::ValuesIn(group_indices()), [](const auto& info) {
  std::string name = groups()[info.param].file + "_" + groups()[info.param].kind;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace icount
