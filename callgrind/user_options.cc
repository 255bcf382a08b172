#include "icount/callgrind/user_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

struct RefusedOption {
  std::string_view name;  // up to '='; a trailing '*' stands for any rest
  std::string_view reason;
};

constexpr std::string_view kOwn = "icount sets it itself";
constexpr auto kRefused = std::to_array<RefusedOption>({
    {"--tool", "icount counts with Callgrind"},
    {"--callgrind-out-file", kOwn},
    {"--log-*", kOwn},
    {"--xml*", kOwn},
    {"--command-line-only", kOwn},
    {"--quiet", kOwn},
    {"--verbose", "it mixes Valgrind's messages with the program's"},
    {"--help*", "it counts nothing"},
    {"--version", "it counts nothing"},
    {"--vgdb*", kOwn},
    {"--dump-*", "the dumps of a profile are how icount knows the counted region"},
    {"--zero-before", "it discards a part of the count"},
    {"--toggle-collect", "it leaves out a part of the count; --within counts a function"},
    {"--instr-atstart", "the count begins where icount says; --only-marked leaves that to the program"},
    {"--collect-atstart", "the count begins where icount says; --only-marked leaves that to the program"},
    {"--combine-dumps", kOwn},
    {"--compress-strings", kOwn},
    {"--compress-pos", kOwn},
    {"--separate-threads", "--per-thread does it"},
    {"--separate-callers*", "--stacks does it"},
    {"--separate-recs*", "it splits functions, and its names could not be matched with other results"},
    {"--trace-children*", "--children says which processes are counted"},
    {"--child-silent-after-fork", "it loses the processes that the program starts"},
    {"--cache-sim", "--events cache does it"},
    {"--branch-sim", "--events branch does it"},
    {"--collect-systime", "--syscalls does it"},
    {"--I1", "--cache I1=BYTES,WAYS,LINE does it"},
    {"--D1", "--cache D1=BYTES,WAYS,LINE does it"},
    {"--LL", "--cache LL=BYTES,WAYS,LINE does it"},
});

bool fits(std::string_view name, std::string_view pattern) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

CacheSize rounded(CacheSize size) {
  const int64_t row = int64_t{size.ways} * size.line;
  const auto sets = static_cast<uint64_t>(size.bytes / row);
  size.bytes = static_cast<int64_t>(std::bit_floor(sets)) * row;
  return size;
}

/// A value of sysconf that is known.
int64_t known(int name, int64_t otherwise) {
  const long value = ::sysconf(name);
  return value > 0 ? value : otherwise;
}

CacheSize probe_size(int bytes, int ways, int line, const CacheSize& otherwise) {
  const CacheSize size{known(bytes, 0), static_cast<int>(known(ways, 0)), static_cast<int>(known(line, 0))};
  const bool usable = size.bytes > 0 && size.ways > 0 && std::has_single_bit(static_cast<unsigned>(size.line)) &&
                      size.bytes >= int64_t{size.ways} * size.line * 2;
  return usable ? rounded(size) : otherwise;
}

std::string option_of(std::string_view name, const CacheSize& size) {
  return fmt::format("--{}={},{},{}", name, size.bytes, size.ways, size.line);
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  int64_t unit = 1;
  if (text.ends_with('k') || text.ends_with('K')) unit = 1024;
  if (text.ends_with('M')) unit = 1024 * 1024;
  const auto value = parse_int64(unit == 1 ? text : text.substr(0, text.size() - 1));
  constexpr int64_t kMost = int64_t{1} << 40;
  if (!value || *value < 1 || *value > kMost / unit) return std::nullopt;
  return *value * unit;
}

}  // namespace

CacheSizes probe_cache_sizes() {
  CacheSizes sizes;
  sizes.instructions =
      probe_size(_SC_LEVEL1_ICACHE_SIZE, _SC_LEVEL1_ICACHE_ASSOC, _SC_LEVEL1_ICACHE_LINESIZE, sizes.instructions);
  sizes.data = probe_size(_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL1_DCACHE_LINESIZE, sizes.data);
  const CacheSize second =
      probe_size(_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC, _SC_LEVEL2_CACHE_LINESIZE, sizes.last);
  sizes.last = probe_size(_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_ASSOC, _SC_LEVEL3_CACHE_LINESIZE, second);
  return sizes;
}

void set_cache_size(std::string_view text, CacheSizes& sizes) {
  const auto fail = [&](std::string_view why) -> void {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--cache {}: {}; the form is I1=BYTES,WAYS,LINE (or D1, LL), such as D1=32k,8,64", text, why));
  };
  const size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  CacheSize* size = name == "I1"   ? &sizes.instructions
                    : name == "D1" ? &sizes.data
                    : name == "LL" ? &sizes.last
                                   : nullptr;
  if (equals == std::string_view::npos || !size) return fail("not a cache with its size");
  const std::vector<std::string_view> parts = split(text.substr(equals + 1), ',');
  if (parts.size() != 3) return fail("three numbers are needed");
  const auto bytes = parse_bytes(parts[0]);
  const auto ways = parse_int64(parts[1]), line = parse_int64(parts[2]);
  if (!bytes || !ways || !line || *ways < 1 || *ways > 1024) return fail("these are not sizes");
  if (*line < 16 || *line > 4096 || !std::has_single_bit(static_cast<uint64_t>(*line)))
    return fail("a line has a power of two bytes, from 16 to 4096");
  const CacheSize given{*bytes, static_cast<int>(*ways), static_cast<int>(*line)};
  if (given.bytes < int64_t{given.ways} * given.line * 2) return fail("a cache that small does not have two sets");
  if (rounded(given) != given) return fail("the simulation needs a power of two sets (BYTES / WAYS / LINE)");
  *size = given;
}

std::string to_text(const CacheSizes& sizes) {
  const auto text = [](std::string_view name, const CacheSize& size) {
    return fmt::format("{} {} B {}-way {} B", name, size.bytes, size.ways, size.line);
  };
  return fmt::format("{}, {}, {}", text("I1", sizes.instructions), text("D1", sizes.data), text("LL", sizes.last));
}

std::string refusal_of_option(std::string_view option) {
  if (!option.starts_with("--") || option.size() < 3) return "it is not a long option (--name or --name=value)";
  const std::string_view name = option.substr(0, option.find('='));
  for (const RefusedOption& refused : kRefused)
    if (fits(name, refused.name)) return std::string(refused.reason);
  return {};
}

std::vector<std::string> make_callgrind_options(const EventRequest& request) {
  std::vector<std::string> problems, options;
  for (const std::string& option : request.passed)
    if (const std::string why = refusal_of_option(option); !why.empty())
      problems.push_back(fmt::format("--callgrind-option {} is not passed through: {}", option, why));
  if (!problems.empty()) throw Error(ErrorKind::kUsage, fmt::format("{}", fmt::join(problems, "\n")));
  if (request.cache)
    options = {"--cache-sim=yes", option_of("I1", request.sizes.instructions), option_of("D1", request.sizes.data),
               option_of("LL", request.sizes.last)};
  if (request.branch) options.emplace_back("--branch-sim=yes");
  if (request.syscalls) options.emplace_back("--collect-systime=yes");
  options.insert(options.end(), request.passed.begin(), request.passed.end());
  return options;
}

bool sets_smc_check(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(),
                     [](const std::string& option) { return option.starts_with("--smc-check"); });
}

bool regroups_functions(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(),
                     [](const std::string& option) { return option.starts_with("--fn-"); });
}

void add_option_facts(const std::vector<std::string>& options, Fingerprint& fingerprint) {
  std::vector<std::string> events, caches, passed;
  for (const std::string& option : options) {
    if (option == "--cache-sim=yes")
      events.emplace_back("cache");
    else if (option == "--branch-sim=yes")
      events.emplace_back("branch");
    else if (option.starts_with("--collect-systime="))
      events.emplace_back("syscalls");
    else if (option.starts_with("--I1=") || option.starts_with("--D1=") || option.starts_with("--LL="))
      caches.push_back(option.substr(2));
    else
      passed.push_back(option);
  }
  if (!events.empty()) fingerprint.set("events", fmt::format("{}", fmt::join(events, ", ")), FactClass::kNameOnly);
  if (!caches.empty()) fingerprint.set("cache", fmt::format("{}", fmt::join(caches, " ")), FactClass::kNameOnly);
  if (!passed.empty()) fingerprint.set("callgrind options", shell_quote(passed), FactClass::kRefuse);
}

}  // namespace icount
