// Results, accepted values and histories of earlier versions: read, shown, judged and explained unchanged. Data and the
// answers of the icount that made it: tests/testdata/compatibility, unpacked.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() { return unpacked("compatibility"); }

std::vector<std::string> versions() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(data_folder()))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Sentences, and lists of them: their words may change.
bool is_wording(const std::string& field) {
  static const std::set<std::string> fields = {"text", "reason", "notes", "shared_causes", "limit", "against"};
  return fields.contains(field);
}

/// A cost graph or call stacks as text: the content counts, not how zstd packed it.
std::string unpacked(const Json& field) {
  return decompress(from_base64(field.get<std::string>(), "packed"), "packed");
}

/// Every field of `then` is in `now` with the same value; what `now` has besides is new.
void expect_kept(const Json& then, const Json& now, const std::string& place) {
  if (then.is_number() && now.is_number()) {
    EXPECT_EQ(then.get<double>(), now.get<double>()) << place;
  } else if (then.is_object() && now.is_object()) {
    for (const auto& [field, value] : then.items()) {
      if (is_wording(field)) continue;
      ASSERT_TRUE(now.contains(field)) << place << " lacks " << field;
      if (field == "graph" || field == "stacks") {
        EXPECT_EQ(unpacked(value), unpacked(now[field])) << place << "." << field;
        continue;
      }
      expect_kept(value, now[field], place + "." + field);
    }
  } else if (then.is_array() && now.is_array()) {
    ASSERT_EQ(then.size(), now.size()) << place << ": " << now.dump(1);
    for (size_t i = 0; i < then.size(); ++i) expect_kept(then[i], now[i], place + "[" + std::to_string(i) + "]");
  } else {
    EXPECT_EQ(then, now) << place;
  }
}

/// Folded stacks with what is in a frame "… other" as the cost of that frame, as it was before functions had frames
/// there.
std::string with_others_joined(const std::string& folded) {
  constexpr std::string_view kOther = "… other";
  std::string text, open;
  int64_t cost = 0;
  const auto close = [&] {
    if (!open.empty()) text += open + " " + std::to_string(cost) + "\n";
    open.clear();
    cost = 0;
  };
  for (const std::string_view line : split_lines(folded)) {
    const size_t blank = line.rfind(' '), other = line.find(kOther);
    const std::string_view stack = other == line.npos ? line.substr(0, blank) : line.substr(0, other + kOther.size());
    if (stack != open) close();
    open = stack;
    cost += std::stoll(std::string(line.substr(blank + 1)));
  }
  close();
  return text;
}

/// `exported` is a result file: its lines are compared as JSON, field by field.
void expect_same_answer(const std::string& name, const std::string& then, const std::string& now) {
  if (name.ends_with(".json")) return expect_kept(parse_json(then, name), parse_json(now, name), name);
  if (name == "stacks.txt") {
    EXPECT_EQ(then, with_others_joined(now)) << name;
    return;
  }
  if (!then.starts_with('{')) {
    EXPECT_EQ(then, now) << name;
    return;
  }
  const auto old_lines = split_lines(then), new_lines = split_lines(now);
  ASSERT_EQ(old_lines.size(), new_lines.size()) << name;
  for (size_t i = 0; i < old_lines.size(); ++i)
    expect_kept(parse_json(old_lines[i], name), parse_json(new_lines[i], name), name + ":" + std::to_string(i + 1));
}

class CompatibilityTest : public testing::TestWithParam<std::string> {};

TEST_P(CompatibilityTest, FilesAreReadShownJudgedAndExplainedAsThen) {
  const ScratchDir scratch;
  const fs::path folder = scratch.path() / "files";
  fs::copy(data_folder() / GetParam(), folder, fs::copy_options::recursive);
  size_t asked = 0;
  const std::string commands = load_text(folder / "commands");
  for (const std::string_view line : split_lines(commands)) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto words = split(line, ' ');
    ASSERT_GT(words.size(), 2u) << line;
    const std::string name(words[0]), arguments(line.substr(words[0].size() + words[1].size() + 2));
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "\"" + binary_dir() + "/icount\" " + arguments};
    spec.working_dir = folder;
    spec.time_limit = Seconds(600);
    const ProcessOutcome outcome = run_process(spec);
    EXPECT_EQ(std::to_string(outcome.exit_code), words[1]) << line << "\n" << outcome.output << outcome.errors;
    const fs::path written = folder / "answer";
    const std::string answer = fs::exists(written) ? load_text(written) : outcome.output;
    fs::remove(written);
    SCOPED_TRACE(std::string(line) + "\n" + outcome.errors);
    expect_same_answer(name, load_text(folder / "expected" / name), answer);
    ++asked;
  }
  EXPECT_GE(asked, 10u);
}

/// Histories without seals are read as they are; the first that writes seals them and says so.
TEST_P(CompatibilityTest, AHistoryIsSealedByWhatWritesToItNext) {
  const ScratchDir scratch;
  fs::copy(data_folder() / GetParam(), scratch.path() / "files", fs::copy_options::recursive);
  const auto store = [&](const std::string& words) {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "\"" + binary_dir() + "/icount\" store " + words};
    spec.working_dir = scratch.path() / "files";
    spec.time_limit = Seconds(600);
    const ProcessOutcome outcome = run_process(spec);
    return std::to_string(outcome.exit_code) + " " + outcome.output + outcome.errors;
  };
  const std::string at_first = store("check --store history.sqlite");
  EXPECT_TRUE(at_first.starts_with("0 ")) << at_first;
  EXPECT_NE(at_first.find("its runs have no seals"), std::string::npos) << at_first;
  const std::string before = store("export @#1 --store history.sqlite");
  const std::string imported = store("import head.program.icount --name new --store history.sqlite");
  EXPECT_TRUE(imported.starts_with("0 ")) << imported;
  EXPECT_NE(imported.find("its 3 runs are sealed as they are"), std::string::npos) << imported;
  const std::string afterwards = store("check --store history.sqlite");
  EXPECT_TRUE(afterwards.starts_with("0 ")) << afterwards;
  EXPECT_EQ(afterwards.find("no seals"), std::string::npos) << afterwards;
  EXPECT_EQ(store("export @#1 --store history.sqlite"), before);
}

INSTANTIATE_TEST_SUITE_P(Versions, CompatibilityTest, testing::ValuesIn(versions()),
                         [](const auto& info) { return "Commit" + info.param; });

}  // namespace
}  // namespace icount
