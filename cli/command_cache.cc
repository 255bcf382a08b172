// `icount cache info` and `icount cache clear`: what compilers made is kept, and can be looked at and thrown away.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/console/options.h"
#include "icount/gate/git_worktree.h"
#include "icount/harness/build_cache.h"
#include "icount/inputs/git_commit.h"

namespace icount {
namespace {

constexpr OptionSpec kCacheOptions[] = {
    {"format", "text|json", "form of the output (default text)"},
};

constexpr ExampleSpec kInfoExamples[] = {
    {"icount cache info", "the location and size of the cache"},
};
constexpr ExampleSpec kClearExamples[] = {
    {"icount cache clear", "empty the cache"},
};

std::string megabytes(int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

Json to_json(const BuildCache& cache, const BuildCache::Info& info, bool cleared) {
  Json json;
  json["schema"] = {{"name", "icount-cache"}, {"version", 1}};
  json["folder"] = cache.root().string();
  json["entries"] = info.entries;
  json["bytes"] = info.bytes;
  json["max_bytes"] = info.max_bytes;
  json["cleared"] = cleared;
  return json;
}

ExitCode run(const ParsedOptions& parsed, CommandContext& context, bool clears) {
  const bool as_json = parsed.choice("format", {"text", "json"}) == 1;
  parsed.check();
  BuildCache cache(default_cache_dir(context.environment));
  if (clears) sweep_worktrees(cache.root() / kWorktreesFolder);
  const BuildCache::Info info = clears ? cache.clear() : cache.info();
  if (as_json) {
    context.out << dump_json(to_json(cache, info, clears)) << '\n';
    return ExitCode::kOk;
  }
  const std::string folder = escape_for_terminal(cache.root().string());
  if (clears)
    context.out << fmt::format("{}: {} entries removed, {} freed\n", folder, info.entries, megabytes(info.bytes));
  else
    context.out << fmt::format("{}: {} entries, {} of at most {}\n", folder, info.entries, megabytes(info.bytes),
                               megabytes(info.max_bytes));
  return ExitCode::kOk;
}

ExitCode run_info(const ParsedOptions& parsed, CommandContext& context) { return run(parsed, context, false); }
ExitCode run_clear(const ParsedOptions& parsed, CommandContext& context) { return run(parsed, context, true); }

}  // namespace

const CommandSpec& cache_info_command() {
  static const CommandSpec spec = {
      .name = "cache info",
      .summary = "show the location and size of the cache of compiled stubs",
      .description =
          "The cache holds compiled statements, precompiled headers, counts of whole programs, and names and lines of "
          "code, each under a hash of everything it was made from, so that the same command does not compile or read "
          "twice. The folder is ICOUNT_CACHE, else XDG_CACHE_HOME/icount, else ~/.cache/icount. Entries that were not "
          "used for 30 days are removed; when the cache is full, the least recently used ones go first.",
      .options = kCacheOptions,
      .examples = kInfoExamples,
      .run = run_info,
  };
  return spec;
}

const CommandSpec& cache_clear_command() {
  static const CommandSpec spec = {
      .name = "cache clear",
      .summary = "empty the cache",
      .description =
          "Clearing the cache is safe, even while other icount processes run: the next count compiles its statements "
          "and headers again.",
      .options = kCacheOptions,
      .examples = kClearExamples,
      .run = run_clear,
  };
  return spec;
}

}  // namespace icount
