#include "timer/collect_fixture.h"
#include "support/places.h"

#include <filesystem>

namespace icount {

TimerArgs make_statement(std::string stmt, std::string setup, bool torch) {
  TimerArgs args;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  args.torch = torch;
  return args;
}

CollectOptions make_collect_options() {
  CollectOptions options;
  options.environment = current_environment();
  options.cache_dir = test_cache();
  options.time_limit = Seconds(600);
  return options;
}

std::vector<CollectResult> collect_all(const std::vector<TimerArgs>& statements, const CollectOptions& options) {
  auto results = collect_callgrind(statements, options);
  for (const CollectResult& result : results)
    EXPECT_EQ(result.status, CollectStatus::kDone) << statements[result.index].stmt << ": " << result.error << "\n"
                                                   << result.details;
  return results;
}

std::vector<int64_t> first_counts(const std::vector<CollectResult>& results) {
  std::vector<int64_t> counts;
  for (const CollectResult& result : results) counts.push_back(result.counts.empty() ? -1 : result.counts[0]);
  return counts;
}

std::vector<std::string> libtorch_roots() {
  namespace fs = std::filesystem;
  std::vector<std::string> roots;
  if (fs::exists("/usr/include/torch/csrc/api/include/torch/torch.h")) roots.push_back("/usr");
  const std::string named = current_environment().get("ICOUNT_TORCH").value_or("");
  if (!named.empty()) roots.push_back(named);
  const fs::path venv = fs::path(source_dir()) / "build/torch-venv/lib";
  std::error_code error;
  if (named.empty() && fs::is_directory(venv, error))
    for (const auto& python : fs::directory_iterator(venv))
      if (fs::exists(python.path() / "site-packages/torch/lib/libtorch_cpu.so"))
        roots.push_back((python.path() / "site-packages/torch").string());
  return roots;
}

}  // namespace icount
