// What the ids of a callgrind.out file stand for: three id spaces, scoped to the whole file. Reads the value of a name
// line ("(7) text", "(7)" or plain text) and gives the interned name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/scanner.h"

namespace icount {

// Id -> StringId for ids that are mostly close together: pages of 512 that exist only where an id was stored, since a
// block of a profile names few of a program's functions.

class IdPages {
 public:
  static constexpr StringId kNone = ~StringId{0};

  StringId find(uint64_t id) const {
    const uint64_t page = id / kIds;
    return page < pages_.size() && pages_[page] ? (*pages_[page])[id % kIds] : kNone;
  }
  /// `id` must be bounded by the caller: 8 bytes for each 512 ids below it are taken.
  void store(uint64_t id, StringId name) {
    const size_t page = id / kIds;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) {
      pages_[page] = std::make_unique<Page>();
      pages_[page]->fill(kNone);
    }
    (*pages_[page])[id % kIds] = name;
  }

 private:
  static constexpr size_t kIds = 512;
  using Page = std::array<StringId, kIds>;
  std::vector<std::unique_ptr<Page>> pages_;
};

enum class NameKind { kObject, kFile, kFunction };

/// "(12)'2'(7)": an id, then ids and numbers, joined by apostrophes, as --compress-mangled=yes writes function names.
/// Nothing else, and in particular not a lone "(7)", which is a function of that name.
bool is_made_of_ids(std::string_view text);

/// What a table learnt from a block of lines that was read ahead of those before it (callgrind/body_reader.cc).
struct NamesAhead {
  struct Unknown {
    uint64_t id;
    StringId placeholder;
  };
  struct Definition {
    uint64_t id;
    StringId name;
    const char* at;
  };
  std::vector<Unknown> unknown;         ///< ids that must have been named before; each once
  std::vector<Definition> definitions;  ///< in the order of the lines
};

class NameTable {
 public:
  /// Names go to `strings`. Texts that are put together from ids (--compress-mangled) may grow to a multiple of
  /// `input_bytes` in all; more is refused as hostile.
  NameTable(NameKind kind, StringPool& strings, ParseReport& report, size_t input_bytes);

  /// The name whose value begins at p; moves p behind the line's LF. `end` is one past the text.
  StringId read(const char*& p, const char* end) {
    uint64_t id = 0;
    const char* const q = *p == '(' && end - p > kReach ? scan_cost(p + 1, id) : nullptr;
    if (q && q[0] == ')' && q[1] == '\n') [[likely]] {
      const StringId name = dense_.find(id);
      if (name != kUndefined) [[likely]] {
        p = q + 2;
        return name;
      }
    }
    return read_any(p, end);
  }

  /// From now on an id without a name is taken to be named in lines not seen: it gets an id of its own. Names made of
  /// ids are refused.
  void start_ahead() { ahead_ = std::make_unique<NamesAhead>(); }
  const NamesAhead& ahead() const { return *ahead_; }

  /// The name of an id; nullopt when it has none so far.
  std::optional<StringId> known(uint64_t id) const {
    const StringId name = find(id);
    return name == kUndefined ? std::nullopt : std::optional(name);
  }
  /// Names an id, as the definition at `at` does.
  void define(uint64_t id, StringId name, const char* at);

  /// Whether every id has stood for one name from its first use on, so that lines mean the same when they are read
  /// again.
  bool is_steady() const { return undefined_.empty() && redefined_.empty() && expanded_.empty(); }

  /// Says once per id what was never named or named twice.
  void report_ids() const;

 private:
  static constexpr StringId kUndefined = IdPages::kNone;
  struct Sighting {
    const char* at = nullptr;
    int64_t times = 0;
    StringId literal = kEmptyString;
  };
  using Sightings = std::unordered_map<uint64_t, Sighting>;

  StringId read_any(const char*& p, const char* end);
  StringId look_up(uint64_t id, const char* at);
  StringId find(uint64_t id) const;
  StringId add_placeholder(uint64_t id);
  void store(uint64_t id, StringId name);
  std::string expand(std::string_view text, const char* at);
  void report_sightings(const Sightings& sightings, bool redefined) const;

  NameKind kind_;
  StringPool& strings_;
  ParseReport& report_;
  size_t expansion_budget_;
  IdPages dense_;  // small ids, bounded by the number of definitions: never whatever id a file holds
  std::unordered_map<uint64_t, StringId> sparse_;
  std::unordered_set<uint64_t> expanded_;  // ids whose text was put together
  size_t defined_ = 0;
  Sightings undefined_, redefined_;
  std::unique_ptr<NamesAhead> ahead_;
};

}  // namespace icount
