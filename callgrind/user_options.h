// Further options of Callgrind that a user may ask for: events beyond Ir, and options passed through. The console makes
// them of --events, --cache, --syscalls and --callgrind-option; callgrind/run.h and the stub server append them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/fingerprint.h"

namespace icount {

/// One cache of the simulation.
struct CacheSize {
  int64_t bytes = 0;
  int ways = 0;
  int line = 0;
  bool operator==(const CacheSize&) const = default;
};

/// First-level caches and the last level. The simulation needs a power of two sets, so a size that has not is rounded
/// down.
struct CacheSizes {
  CacheSize instructions{32768, 8, 64};
  CacheSize data{32768, 8, 64};
  CacheSize last{8388608, 16, 64};
  bool operator==(const CacheSizes&) const = default;
};

/// Those of this machine as the C library knows them; the defaults above for what it does not know.
CacheSizes probe_cache_sizes();

/// "I1=32768,8,64" and the like on top of `sizes`: bytes (k and M allowed), ways, bytes of a line. Error{kUsage} for
/// anything else.
void set_cache_size(std::string_view text, CacheSizes& sizes);

/// "I1 32768 B 8-way 64 B, D1 ..., LL ...".
std::string to_text(const CacheSizes& sizes);

struct EventRequest {
  bool cache = false;     ///< Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
  bool branch = false;    ///< Bc Bcm Bi Bim
  bool syscalls = false;  ///< sysCount sysTime
  CacheSizes sizes;
  std::vector<std::string> passed;  ///< as the user gave them
};

/// As Callgrind takes them. Error{kUsage} naming each option of `passed` that breaks counting, with the reason.
std::vector<std::string> make_callgrind_options(const EventRequest& request);

/// Why icount does not pass an option through; empty when it does.
std::string refusal_of_option(std::string_view option);

/// Whether they say when Valgrind looks again at code that it has seen.
bool sets_smc_check(const std::vector<std::string>& options);

/// Whether an option (--fn-skip, --fn-group) says under which function code is to be listed.
bool regroups_functions(const std::vector<std::string>& options);

/// Facts about `options`: "events" and "cache" are named where they differ, for Ir is the same with and without; what a
/// user passed through refuses a comparison.
void add_option_facts(const std::vector<std::string>& options, Fingerprint& fingerprint);

}  // namespace icount
