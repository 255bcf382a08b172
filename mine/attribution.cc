#include "icount/mine/attribution.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/mine/changed_source.h"
#include "icount/mine/hunk_units.h"
#include "icount/mine/path_match.h"

namespace icount {
namespace {

/// A part of the change: of a hunk, or outside and of a function.
struct Bucket {
  uint32_t hunk = kNoHunk;
  size_t why = 0;  ///< HunkShare or OutsideReason
  uint32_t function = 0;
  auto operator<=>(const Bucket&) const = default;
};

/// What a line of a chain says of itself.
struct FrameHunks {
  SourceSpot at{kNoHunk, kNotInDiff, 0};
  uint32_t macro = kNoHunk, head = kNoHunk, data = kNoHunk;
  const ChangedBlock* around = nullptr;
  uint64_t unchanged_before = 0;  ///< where something is around
};

/// What a chain says of itself, whatever function it is executed in.
struct ChainHunks {
  uint32_t changed = kNoHunk;  ///< the innermost frame that lies in a hunk
  uint64_t changed_line = 0;   ///< its line
  uint32_t macro = kNoHunk, head = kNoHunk;
  uint32_t data = kNoHunk;
  const ChangedBlock* around = nullptr;  ///< a changed function or type around a frame
  uint64_t around_line = 0;              ///< unchanged lines before that frame
};

class Attribution {
 public:
  Attribution(const PlacedChange& change, const CommitSources& commits, RunFacts runs)
      : change_(change), commits_(commits), runs_(runs), source_(commits), units_(commits.diff.hunks.size()) {
    join_by_source(source_, commits_, units_);
    for (size_t side = 0; side < 2; ++side) {
      paths_[side] = match_paths(files_of(side), commits.diff, side, commits.roots[side]);
      find_relative_paths(side);
      for (size_t i = 0; i < change.files.size(); ++i)
        if (!paths_[side].repository[i].empty()) own_files_[side].insert(change.files[i]);
      if (source_.has_names() && commits.expect) commits.expect(side, paths_[side].repository);
      chains_[side].resize(change.chains[side].size());
      for (uint32_t chain = 0; chain < chains_[side].size(); ++chain) chains_[side][chain] = read_chain(side, chain);
    }
    if (commits.counts) find_control();
    find_executed();
    find_symbols();
  }

  Mine attribute(int64_t delta) {
    std::vector<const PlacedShare*> left;
    for (const PlacedShare& share : change_.shares)
      if (!place_by_lines(share)) left.push_back(&share);
    place_taken_over(left);
    join_units();
    place_other_work(left);
    return finish(delta);
  }

 private:
  using Hunks = std::vector<uint32_t>;

  static uint64_t key_of(const PlaceFrame& frame) { return uint64_t{frame.file} << 40 ^ frame.line; }

  /// Of a line of any chain.
  const SourceSpot& spot(size_t side, const PlaceFrame& frame) const { return frames_[side].at(key_of(frame)).at; }

  /// By number; empty where the side has no line of it.
  std::vector<std::string> files_of(size_t side) const {
    std::vector<std::string> files(change_.files.size());
    for (const PlaceChain& chain : change_.chains[side])
      for (const PlaceFrame& frame : chain) files[frame.file] = change_.files[frame.file];
    for (const LineSelfCost& one : change_.line_costs[side]) files[one.at.file] = change_.files[one.at.file];
    return files;
  }

  /// Builds inside the repository may name its files as it does, or from a folder of it.
  void find_relative_paths(size_t side) {
    for (size_t i = 0; i < change_.files.size() && commits_.has; ++i) {
      std::string path = std::filesystem::path(change_.files[i]).lexically_normal().generic_string();
      while (path.starts_with("../")) path.erase(0, 3);
      if (!paths_[side].repository[i].empty() || path.starts_with('/') || !language_of(path)) continue;
      if (commits_.has(side, path)) paths_[side].repository[i] = std::move(path);
    }
  }

  ChainHunks read_chain(size_t side, uint32_t chain) {
    ChainHunks says;
    for (const PlaceFrame& frame : change_.chains[side][chain]) {
      const FrameHunks& one = read_frame(side, frame);
      if (says.changed == kNoHunk) std::tie(says.changed, says.changed_line) = std::pair(one.at.hunk, frame.line);
      if (says.macro == kNoHunk) says.macro = one.macro;
      if (says.head == kNoHunk) says.head = one.head;
      if (says.data == kNoHunk) says.data = one.data;
      if (!says.around && one.around)
        std::tie(says.around, says.around_line) = std::pair(one.around, one.unchanged_before);
    }
    return says;
  }

  /// Each line once: chains have few, over and over.
  const FrameHunks& read_frame(size_t side, const PlaceFrame& frame) {
    const auto [known, fresh] = frames_[side].try_emplace(key_of(frame));
    FrameHunks& one = known->second;
    if (!fresh) return one;
    if (const uint32_t file = paths_[side].diff_file[frame.file]; file != kNotInDiff)
      one.at = source_.spot(side, file, frame.line);
    if (source_.has_names()) find_names(side, frame, one);
    if (one.at.file == kNotInDiff || one.at.hunk != kNoHunk) return one;
    one.around = changed_around(one.at.file, one.at.line);
    if (one.around) one.unchanged_before = source_.unchanged_before(one.at.file, one.at.line);
    return one;
  }

  const ChangedBlock* changed_around(uint32_t file, uint64_t line) {
    const auto [at, fresh] = around_.try_emplace({file, line}, nullptr);
    if (fresh) at->second = source_.changed_around(file, line);
    return at->second;
  }

  /// Macros and variables of hunks that a line names.
  void find_names(size_t side, const PlaceFrame& frame, FrameHunks& says) {
    const std::string& path = paths_[side].repository[frame.file];
    if (path.empty() || !commits_.text) return;
    const uint32_t file = paths_[side].diff_file[frame.file];
    const SourceText* text = nullptr;
    if (file != kNotInDiff) text = source_.source(side, file);
    if (!text) {
      const auto [at, fresh] = other_texts_[side].try_emplace(path);
      if (fresh)
        if (const auto language = language_of(path))
          if (const auto bytes = commits_.text(side, path); bytes && source_.may_name_changed(*bytes))
            at->second = read_source(*bytes, *language);
      text = &at->second;
    }
    if (frame.line == 0 || frame.line > text->words.size()) return;
    for (const std::string& word : text->words[frame.line - 1]) {
      const auto macro = source_.macros().find(word);
      if (macro != source_.macros().end() && says.macro == kNoHunk) says.macro = macro->second;
      const auto head = source_.heads().find(word);
      if (head != source_.heads().end() && says.head == kNoHunk) says.head = head->second;
      if (says.data == kNoHunk) says.data = source_.data_hunk(word, file);
    }
  }

  /// Hunks in the head of a function, such as its return type, by file and first line of the function: they have no
  /// instruction, and are executed where its body is.
  std::map<std::pair<uint32_t, uint64_t>, Hunks> hunks_of_heads(size_t side) const {
    std::map<std::pair<uint32_t, uint64_t>, Hunks> heads;
    for (uint32_t h = 0; h < commits_.diff.hunks.size(); ++h) {
      if (source_.text_of(h) != HunkText::kCode) continue;
      const uint32_t file = commits_.diff.hunks[h].file;
      for (const uint64_t line : source_.code_lines(h, side))
        if (const SourceBlock* const function = source_.function_around(side, file, line);
            function && line <= function->opened)
          heads[{file, function->first}].push_back(h);
    }
    return heads;
  }

  void find_executed() {
    const size_t hunks = commits_.diff.hunks.size();
    for (size_t side = 0; side < 2; ++side) {
      const auto heads = hunks_of_heads(side);
      executed_lines_[side].resize(hunks);
      executions_[side].resize(hunks);
      is_executed_[side].assign(hunks, false);
      // By hunk and line, the copies of the line: -1, where all code of one is inlined from elsewhere. That has loops
      // and branches of its own, and does not tell how often the line ran.
      std::map<std::pair<uint32_t, uint64_t>, std::map<std::pair<uint32_t, PlaceChain>, int64_t>> copies;
      for (const ExecutedPlace& place : change_.executed[side]) {
        const PlaceChain& chain = change_.chains[side][place.chain];
        if (const uint32_t macro = chains_[side][place.chain].macro; macro != kNoHunk) mark_macro(side, macro);
        for (auto frame = chain.begin(); frame != chain.end(); ++frame) {
          const SourceSpot at = spot(side, *frame);
          if (at.file != kNotInDiff && !heads.empty()) {
            const uint32_t file = paths_[side].diff_file[frame->file];
            if (const SourceBlock* const function = source_.function_around(side, file, frame->line))
              if (const auto head = heads.find({file, function->first}); head != heads.end())
                for (const uint32_t hunk : head->second) is_executed_[side][hunk] = true;
          }
          if (at.hunk == kNoHunk) {
            mark_members(side, at);
            continue;
          }
          is_executed_[side][at.hunk] = true;
          executed_lines_[side][at.hunk].insert(frame->line);
          int64_t& ran = copies[{at.hunk, frame->line}]
                             .try_emplace({place.function, PlaceChain(frame, chain.end())}, -1)
                             .first->second;
          if (frame == chain.begin()) ran = std::max(ran, place.executions);
        }
      }
      for (const auto& [line, ran] : copies) {
        int64_t sum = 0;
        for (const auto& [copy, times] : ran) sum = sum < 0 || times < 0 ? -1 : saturating_add(sum, times);
        if (sum >= 0) executions_[side][line.first] = std::max(executions_[side][line.first].value_or(0), sum);
      }
    }
  }

  /// Where lines that use a macro are executed, so are the hunks that define it: it may have moved.
  void mark_macro(size_t side, uint32_t hunk) {
    if (is_executed_[side][hunk]) return;
    for (uint32_t h = 0; h < is_executed_[side].size(); ++h)
      if (h == hunk || (!source_.macro_of(h).empty() && source_.macro_of(h) == source_.macro_of(hunk)))
        is_executed_[side][h] = true;
  }

  /// Where what makes, copies or ends a changed type is executed, so is the hunk that changed what that holds.
  void mark_members(size_t side, const SourceSpot& at) {
    const ChangedBlock* const block = at.file == kNotInDiff ? nullptr : changed_around(at.file, at.line);
    if (!block || block->block.kind != SourceBlock::Kind::kType) return;
    for (const uint32_t hunk : block->hunks)
      if (!is_executed_[side][hunk] && source_.changes_members(hunk)) is_executed_[side][hunk] = true;
  }

  /// How often the line of a hunk ran that ran most; nothing where none of its lines was compiled for coverage.
  std::optional<int64_t> source_executions(uint32_t h, size_t side) const {
    if (!commits_.counts) return std::nullopt;
    const DiffHunk& hunk = commits_.diff.hunks[h];
    const SourceCounts& counts = (*commits_.counts)[side];
    const auto file = counts.find(commits_.diff.files[hunk.file].path(side));
    if (file == counts.end()) return std::nullopt;
    std::optional<int64_t> most;
    for (auto at = file->second.lower_bound(hunk.lines(side).first);
         at != file->second.end() && hunk.lines(side).has(at->first); ++at)
      most = std::max(most.value_or(0), at->second.executions);
    return most;
  }

  bool is_executed(uint32_t hunk) const { return is_executed_[0][hunk] || is_executed_[1][hunk]; }
  /// Whether a side's lines of a hunk run, or may: where the other side's do, these may have no instruction of their
  /// own.
  bool runs(uint32_t hunk, size_t side) const {
    return is_executed_[side][hunk] || (is_executed(hunk) && !source_.code_lines(hunk, side).empty());
  }

  /// Of a changed block the hunk that is executed, or else any, that is nearest to a line, by unchanged lines.
  uint32_t nearest(const ChangedBlock& block, uint64_t line) const {
    const auto key = [&](uint32_t h) {
      const uint64_t at = source_.unchanged_before(h);
      return std::tuple(!is_executed(h), at > line ? at - line : line - at, h);
    };
    return *std::min_element(block.hunks.begin(), block.hunks.end(),
                             [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  }

  /// By function: hunks of the source function that it is compiled from, and of each unit with code that is executed
  /// inside it the hunk that ran most, in that order.
  void find_symbols() {
    symbol_hunks_.resize(change_.functions.size());
    holding_.resize(change_.functions.size());
    reading_.resize(change_.functions.size(), kNoHunk);
    std::vector<std::string> words;
    for (const PlacedFunction& function : change_.functions) words.emplace_back(last_word(plain_name(function.name)));
    std::vector<std::map<uint32_t, long double>> weights(change_.functions.size());
    for (size_t side = 0; side < 2; ++side)
      for (const ExecutedPlace& place : change_.executed[side]) {
        const PlaceChain& chain = change_.chains[side][place.chain];
        const ChainHunks& says = chains_[side][place.chain];
        if (reading_[place.function] == kNoHunk) reading_[place.function] = says.data;
        const auto weight = static_cast<long double>(std::max<int64_t>(place.executions, 1));
        if (says.changed != kNoHunk)
          weights[place.function][says.changed] += weight;
        else if (says.macro != kNoHunk)
          weights[place.function][says.macro] += weight;
        else if (says.around)
          weights[place.function][nearest(*says.around, says.around_line)] += weight;
        if (chain.empty() || (says.changed == kNoHunk && !says.around)) continue;
        add_symbol_hunks(side, chain.back(), words[place.function], symbol_hunks_[place.function]);
      }
    for (size_t f = 0; f < weights.size(); ++f) {
      std::map<uint32_t, std::pair<long double, uint32_t>> most;  // by unit: its weight, and its hunk that has most
      for (const auto& [hunk, weight] : weights[f]) {
        auto& [all, first] = most.try_emplace(units_.of(hunk), 0, hunk).first->second;
        all += weight;
        if (weight > weights[f].at(first)) first = hunk;
      }
      std::sort(symbol_hunks_[f].begin(), symbol_hunks_[f].end(),
                [&](uint32_t a, uint32_t b) { return std::pair(!is_executed(a), a) < std::pair(!is_executed(b), b); });
      for (const auto& [unit, hunk] : most) holding_[f].push_back(hunk.second);
      std::stable_sort(holding_[f].begin(), holding_[f].end(), [&](uint32_t a, uint32_t b) {
        return most.at(units_.of(a)).first > most.at(units_.of(b)).first;
      });
    }
  }

  /// The outermost frame lies in the function's own source.
  void add_symbol_hunks(size_t side, const PlaceFrame& frame, std::string_view name, Hunks& hunks) {
    const SourceSpot at = spot(side, frame);
    if (at.file == kNotInDiff) return;
    const auto add = [&](uint32_t hunk) {
      if (std::find(hunks.begin(), hunks.end(), hunk) == hunks.end()) hunks.push_back(hunk);
    };
    if (at.hunk != kNoHunk) {
      const uint32_t file = paths_[side].diff_file[frame.file];
      const SourceBlock* const function = source_.function_around(side, file, frame.line);
      if (!function || function->name == name) add(at.hunk);
    } else if (const ChangedBlock* const block = changed_around(at.file, at.line);
               block && block->block.kind == SourceBlock::Kind::kFunction && block->block.name == name) {
      for (const uint32_t hunk : block->hunks) add(hunk);
    }
  }

  /// The hunk of a changed type that is in a function's name; kNoHunk: none is.
  uint32_t type_hunk(uint32_t f) {
    if (source_.types().empty() || f == PlacedShare::kNone) return kNoHunk;
    const auto [at, fresh] = type_hunks_.try_emplace(f, kNoHunk);
    if (!fresh) return at->second;
    const std::string& name = change_.functions[f].name;
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (size_t begin = 0; begin < name.size() && at->second == kNoHunk;) {
      size_t end = begin;
      while (end < name.size() && is_word(name[end])) ++end;
      const auto found = source_.types().find(name.substr(begin, end - begin));
      if (found != source_.types().end()) at->second = found->second;
      begin = std::max(end, begin + 1);
    }
    return at->second;
  }

  void give(const PlacedShare& share, uint32_t hunk, HunkShare why) {
    parts_[{hunk, static_cast<size_t>(why), 0}] += share.value;
    keep_term(share, hunk, static_cast<size_t>(why));
    weight_[units_.of(hunk)] += std::abs(share.value);
    if (why == HunkShare::kChangedLines || why == HunkShare::kCallsFromChangedLines)
      direct_[share.function][units_.of(hunk)] += share.value;
  }

  void leave(const PlacedShare& share, OutsideReason why) {
    parts_[{kNoHunk, static_cast<size_t>(why), share.function}] += share.value;
    keep_term(share, kNoHunk, static_cast<size_t>(why));
  }

  void keep_term(const PlacedShare& share, uint32_t hunk, size_t why) {
    const TermKey key(share.of, share.function, share.callee, hunk, why);
    if (!terms_.empty() && terms_.back().first == key)  // shares come by function
      terms_.back().second += share.value;
    else
      terms_.emplace_back(key, share.value);
  }

  void add_terms(Mine& mine) {
    std::stable_sort(terms_.begin(), terms_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < terms_.size();) {
      const auto& [of, function, callee, hunk, why] = terms_[i].first;
      long double value = 0;
      for (const size_t first = i; i < terms_.size() && terms_[i].first == terms_[first].first; ++i)
        value += terms_[i].second;
      mine.terms.push_back({of, change_.functions[function].name,
                            callee == PlacedShare::kNone ? std::string() : change_.functions[callee].name, hunk, why,
                            value});
    }
    std::stable_sort(mine.terms.begin(), mine.terms.end(),
                     [](const MineTerm& a, const MineTerm& b) { return a.function < b.function; });
  }

  /// Whether a hunk that is not executed may have made the compiler do otherwise in a function.
  bool may_compile_otherwise(uint32_t hunk, uint32_t f) const {
    return is_executed(hunk) || !change_.functions[f].has_code || !change_.functions[f].has_same_code;
  }

  uint32_t first_inside(uint32_t f) const { return holding_[f].empty() ? kNoHunk : holding_[f].front(); }

  /// Of hunks inside a function that may decide how often its unchanged lines call another, or inside that one, the
  /// only one.
  uint32_t hunk_that_decides(uint32_t caller, uint32_t callee) const {
    const uint32_t only = first_inside(caller);
    const auto is_another = [&](uint32_t hunk) { return units_.of(hunk) != units_.of(only); };
    const bool is_only =
        only != kNoHunk && std::none_of(holding_[caller].begin(), holding_[caller].end(), is_another) &&
        (callee == PlacedShare::kNone || std::none_of(holding_[callee].begin(), holding_[callee].end(), is_another));
    return is_only ? only : kNoHunk;
  }

  bool place_by_lines(const PlacedShare& share) {
    if (share.of == PlacedShare::Of::kEntry) {
      leave(share, OutsideReason::kEntries);
      return true;
    }
    const bool is_call = share.of == PlacedShare::Of::kCalls;
    const ChainHunks& says = chains_[share.side][share.chain];
    if (says.changed != kNoHunk) {
      give(share, says.changed, is_call ? HunkShare::kCallsFromChangedLines : HunkShare::kChangedLines);
      if (share.side == 1) head_lines_[says.changed][says.changed_line] += share.value;
    } else if (says.macro != kNoHunk) {
      give(share, says.macro, HunkShare::kChangedMacro);
    } else if (says.head != kNoHunk && may_compile_otherwise(says.head, share.function)) {
      give(share, says.head, HunkShare::kChangedHead);
    } else if (const uint32_t around = says.around ? nearest(*says.around, says.around_line) : kNoHunk;
               around != kNoHunk && may_compile_otherwise(around, share.function)) {
      give(share, around, HunkShare::kSameFunction);
    } else if (const Hunks& own = symbol_hunks_[share.function];
               !own.empty() && may_compile_otherwise(own.front(), share.function)) {
      give(share, own.front(), HunkShare::kInlinedInto);
    } else if (const uint32_t type = type_hunk(share.function);
               type != kNoHunk && may_compile_otherwise(type, share.function)) {
      give(share, type, HunkShare::kChangedType);
    } else if (is_call && share.is_of_one_side && share.callee != PlacedShare::kNone &&
               !symbol_hunks_[share.callee].empty()) {
      give(share, symbol_hunks_[share.callee].front(), HunkShare::kCallMadeOrInlined);
      taken_over_[share.function].emplace(symbol_hunks_[share.callee].front(), share.callee);
    } else if (const uint32_t of_callee = is_call ? type_hunk(share.callee) : kNoHunk; of_callee != kNoHunk) {
      give(share, of_callee, HunkShare::kChangedType);
      if (share.is_of_one_side) taken_over_[share.function].emplace(of_callee, share.callee);
    } else if (const uint32_t inside =
                   is_call ? hunk_that_decides(share.function, share.callee) : first_inside(share.function);
               inside != kNoHunk && may_compile_otherwise(inside, share.function)) {
      const bool by_macro = (is_call || !is_executed(inside)) && !source_.macro_of(inside).empty();
      give(share, inside, by_macro ? HunkShare::kChangedMacro : HunkShare::kChangedCodeInlined);
    } else {
      return false;
    }
    return true;
  }

  /// Beside a call that one side alone makes: the caller's own cost, and what the callee called and it calls now.
  void place_taken_over(std::vector<const PlacedShare*>& left) {
    if (taken_over_.empty()) return;
    const std::set<std::pair<uint32_t, uint32_t>> calls(change_.calls.begin(), change_.calls.end());
    std::erase_if(left, [&](const PlacedShare* share) {
      const auto taken = taken_over_.find(share->function);
      if (taken == taken_over_.end()) return false;
      for (const auto& [hunk, callee] : taken->second)
        if (share->of == PlacedShare::Of::kOwnCost || calls.contains({callee, share->callee})) {
          give(*share, hunk, HunkShare::kCallMadeOrInlined);
          return true;
        }
      return false;
    });
  }

  /// A line as head has it; nothing for one in a hunk.
  std::optional<std::pair<std::string, uint64_t>> unchanged_line(size_t side, const std::string& path,
                                                                 uint64_t line) const {
    const auto found = files_[side].find(path);
    if (found == files_[side].end()) return std::pair(path, line);
    const SourceSpot at = source_.spot(side, found->second, line);
    if (at.hunk != kNoHunk) return std::nullopt;
    return std::pair(commits_.diff.files[at.file].new_path, at.line);
  }

  void find_control() {
    struct Line {
      std::array<LineCount, 2> counts;
      std::array<int64_t, 2> cost{};
    };
    for (uint32_t i = 0; i < commits_.diff.files.size(); ++i)
      for (size_t side = 0; side < 2; ++side) files_[side].emplace(commits_.diff.files[i].path(side), i);
    std::map<std::pair<std::string, uint64_t>, Line> lines;
    for (size_t side = 0; side < 2; ++side) {
      for (const auto& [path, counted] : (*commits_.counts)[side])
        for (const auto& [number, count] : counted)
          if (const auto at = unchanged_line(side, path, number)) lines[*at].counts[side] = count;
      for (const LineSelfCost& one : change_.line_costs[side])
        if (const std::string& path = paths_[side].repository[one.at.file]; !path.empty())
          if (const auto at = unchanged_line(side, path, one.at.line))
            if (const auto found = lines.find(*at); found != lines.end()) found->second.cost[side] += one.cost;
    }
    MineControl& control = control_.emplace();
    long double by_executions = 0;
    int64_t all = 0;
    for (const auto& [at, line] : lines) {
      const auto& [base, head] = line.counts;
      const int64_t delta = line.cost[1] - line.cost[0];
      all += delta;
      // What one side does not compile, as it is never called there, has no branches.
      const bool is_equal = base.executions == head.executions &&
                            (base.branches == head.branches || base.branches.empty() || head.branches.empty());
      if (is_equal) {
        ++control.lines_equal;
        continue;
      }
      ++control.lines_other;
      control.lines.push_back({at.first, at.second, {base.executions, head.executions}, delta});
      ran_otherwise_.insert(at);
      std::array<long double, 2> price{};
      for (size_t side = 0; side < 2; ++side)
        if (line.counts[side].executions > 0)
          price[side] =
              static_cast<long double>(line.cost[side]) / static_cast<long double>(line.counts[side].executions);
      if (base.executions == 0) price[0] = price[1];
      if (head.executions == 0) price[1] = price[0];
      by_executions += static_cast<long double>(head.executions - base.executions) * (price[0] + price[1]) / 2;
    }
    control.executions_delta = static_cast<int64_t>(std::round(by_executions));
    control.code_delta = all - control.executions_delta;
    std::stable_sort(control.lines.begin(), control.lines.end(),
                     [](const OtherLine& a, const OtherLine& b) { return magnitude(a.delta) > magnitude(b.delta); });
  }

  /// Whether source counts show a line of the function that runs more or less often.
  bool runs_otherwise(uint32_t f) {
    if (ran_otherwise_.empty()) return false;
    if (functions_otherwise_.empty()) {
      functions_otherwise_.assign(change_.functions.size(), false);
      for (size_t side = 0; side < 2; ++side)
        for (const ExecutedPlace& place : change_.executed[side])
          for (const PlaceFrame& frame : change_.chains[side][place.chain])
            if (const std::string& path = paths_[side].repository[frame.file]; !path.empty())
              if (const auto at = unchanged_line(side, path, frame.line); at && ran_otherwise_.contains(*at))
                functions_otherwise_[place.function] = true;
    }
    return functions_otherwise_[f];
  }

  bool is_library(uint32_t f) const {
    const PlacedFunction& function = change_.functions[f];
    if (function.object.find(".so") == std::string::npos) return false;
    for (size_t side = 0; side < 2; ++side)
      if (own_files_[side].contains(function.files[side])) return false;
    return true;
  }

  /// Of the hunks that the nearest callers have and that are executed, or whose data they read, the one that did most.
  /// What a library does otherwise may depend on where memory lies: only a unit that all of its callers have did that.
  uint32_t hunk_above(uint32_t f) {
    const bool of_library = is_library(f);
    if (callers_.empty()) {
      callers_.resize(change_.functions.size());
      for (const auto& [caller, callee] : change_.calls) callers_[callee].push_back(caller);
    }
    std::vector<bool> seen(change_.functions.size(), false);
    seen[f] = true;
    Hunks found;
    for (std::vector<uint32_t> layer{f}; !layer.empty() && (found.empty() || of_library);) {
      std::vector<uint32_t> above;
      for (const uint32_t callee : layer)
        for (const uint32_t caller : callers_[callee])
          if (!seen[caller]) {
            seen[caller] = true;
            const size_t before = found.size();
            const Hunks& hunks = symbol_hunks_[caller].empty() ? holding_[caller] : symbol_hunks_[caller];
            for (const uint32_t hunk : hunks)
              if (is_executed(hunk)) found.push_back(hunk);
            if (reading_[caller] != kNoHunk) found.push_back(reading_[caller]);
            if (of_library && found.size() == before && !is_library(caller)) return kNoHunk;
            if (!of_library || found.size() == before) above.push_back(caller);
          }
      layer = std::move(above);
    }
    const auto is_of_first = [&](uint32_t hunk) { return units_.of(hunk) == units_.of(found.front()); };
    if (found.empty() || (of_library && !std::all_of(found.begin(), found.end(), is_of_first))) return kNoHunk;
    return *std::min_element(found.begin(), found.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(-std::round(known_weight_[units_.of(a)]), a) <
             std::pair(-std::round(known_weight_[units_.of(b)]), b);
    });
  }

  /// Of the only unit that can act, be it in the set-up; kNoHunk: several can, or the runs' input may differ.
  uint32_t only_hunk_that_acts() const {
    uint32_t only = kNoHunk;
    for (uint32_t h = 0; h < commits_.diff.hunks.size() && runs_.has_same_input; ++h) {
      if (source_.text_of(h) != HunkText::kCode) continue;
      if (!is_executed(h) && !runs_.counts_a_part && !source_.may_act_unexecuted(h)) continue;
      if (only != kNoHunk && units_.of(only) != units_.of(h)) return kNoHunk;
      if (only == kNoHunk || (is_executed(h) && !is_executed(only))) only = h;
    }
    return only;
  }

  void place_other_work(const std::vector<const PlacedShare*>& left) {
    known_weight_ = weight_;
    const uint32_t only = only_hunk_that_acts();
    std::map<uint32_t, uint32_t> above;
    std::map<uint32_t, bool> libraries;
    for (const PlacedShare* share : left) {
      const uint32_t f = share->function;
      const PlacedFunction& function = change_.functions[f];
      if (reading_[f] != kNoHunk) {
        give(*share, reading_[f], HunkShare::kChangedData);
        continue;
      }
      const auto [library, fresh] = libraries.try_emplace(f, false);
      if (fresh) library->second = is_library(f);
      const bool is_code = share->of != PlacedShare::Of::kCalls || share->is_of_one_side;
      if (!library->second && is_code && function.has_code && !function.has_same_code && !runs_otherwise(f)) {
        leave(*share, OutsideReason::kCompiledDifferently);
        continue;
      }
      const auto [hunk, asked] = above.try_emplace(f, kNoHunk);
      if (asked) hunk->second = holding_[f].empty() ? hunk_above(f) : kNoHunk;
      const bool may_be_its = only != kNoHunk && (!library->second || is_executed(only));  // the loader's work varies
      if (hunk->second == kNoHunk && may_be_its) hunk->second = only;
      if (hunk->second != kNoHunk)
        give(*share, hunk->second,
             !is_executed(hunk->second) && !source_.data_of(hunk->second).empty() ? HunkShare::kChangedData
                                                                                  : HunkShare::kOtherWork);
      else
        leave(*share, library->second     ? OutsideReason::kLibrary
                      : function.has_code ? OutsideReason::kOtherWork
                                          : OutsideReason::kUnknown);
    }
  }

  uint32_t first_hunk_of(uint32_t f) const {
    if (!symbol_hunks_[f].empty()) return symbol_hunks_[f].front();
    return holding_[f].empty() ? kNoHunk : holding_[f].front();
  }

  void join_units() {
    join_by_texts();
    // The two ends of a call that one side alone makes: what left one of them is in the other.
    for (const PlacedShare& share : change_.shares) {
      if (share.of != PlacedShare::Of::kCalls || !share.is_of_one_side || share.callee == PlacedShare::kNone) continue;
      const uint32_t from = first_hunk_of(share.function), to = first_hunk_of(share.callee);
      if (from != kNoHunk && to != kNoHunk) units_.join(from, to);
    }
    // Lines that hunks took out of a symbol and others put in: these do now what the others did.
    constexpr long double kTraded = 0.2L, kTakesPart = 0.1L;
    for (const auto& [function, hunks] : direct_) {
      long double up = 0, down = 0;
      for (const auto& [hunk, value] : hunks) {
        up = std::max(up, value);
        down = std::max(down, -value);
      }
      if (std::min(up, down) <= kTraded * std::max(up, down)) continue;
      Hunks traded;
      for (const auto& [hunk, value] : hunks)
        if (std::abs(value) > kTakesPart * std::min(up, down)) traded.push_back(hunk);
      units_.join(traded);
    }
  }

  /// What a changed text makes other functions do: where their lines ran in other proportions it may be that, or their
  /// own hunks.
  void join_by_texts() {
    Hunks texts;
    for (uint32_t h = 0; h < commits_.diff.hunks.size(); ++h)
      if (source_.text_of(h) == HunkText::kCode && source_.changes_texts_alone(h) && is_executed(h)) texts.push_back(h);
    if (texts.empty()) return;
    for (const uint32_t f : functions_that_branch_otherwise())
      if (const uint32_t hunk = first_hunk_of(f); hunk != kNoHunk)
        for (const uint32_t text : texts) units_.join(text, hunk);
  }

  /// Functions of which unchanged lines are executed on both sides, not all by the same factor more or less often.
  std::set<uint32_t> functions_that_branch_otherwise() const {
    using Line = std::tuple<uint32_t, uint32_t, uint64_t>;  // function, file, head's line
    std::map<Line, std::array<int64_t, 2>> lines;
    for (size_t side = 0; side < 2; ++side)
      for (const ExecutedPlace& place : change_.executed[side]) {
        const PlaceChain& chain = change_.chains[side][place.chain];
        if (chain.empty() || place.executions < 0) continue;
        const SourceSpot at = spot(side, chain.back());
        if (at.file == kNotInDiff || at.hunk != kNoHunk) continue;
        int64_t& most = lines[{place.function, at.file, at.line}][side];
        most = std::max(most, place.executions);
      }
    std::set<uint32_t> functions;
    std::map<uint32_t, std::array<int64_t, 2>> first;
    for (const auto& [line, ran] : lines) {
      if (ran[0] == 0 || ran[1] == 0) continue;
      const uint32_t f = std::get<0>(line);
      const auto [at, fresh] = first.try_emplace(f, ran);
      if (static_cast<__int128>(ran[0]) * at->second[1] != static_cast<__int128>(ran[1]) * at->second[0])
        functions.insert(f);
    }
    return functions;
  }

  Mine finish(int64_t delta) {
    long double rest = static_cast<long double>(delta);  // of rounding, and of processes that one side alone has
    for (const PlacedShare& share : change_.shares) rest -= share.value;
    if (rest != 0) parts_[{kNoHunk, static_cast<size_t>(OutsideReason::kUnknown), PlacedShare::kNone}] += rest;
    std::vector<Bucket> buckets;
    std::vector<long double> values;
    for (const auto& [bucket, value] : parts_) {
      buckets.push_back(bucket);
      values.push_back(value);
    }
    RoundedTerms rounded = round_to_total(values, delta, by_magnitude(values));
    Mine mine{.base_name = commits_.base_name,
              .head_name = commits_.head_name,
              .has_uncommitted = commits_.has_uncommitted,
              .delta = delta,
              .counts_a_part = runs_.counts_a_part};
    mine.control = std::move(control_);
    describe_hunks(mine);
    make_units(mine);
    add_terms(mine);
    mine.outside.delta = rounded.rest;
    mine.outside.reasons[static_cast<size_t>(OutsideReason::kUnknown)] = rounded.rest;
    for (size_t i = 0; i < buckets.size(); ++i) {
      const Bucket& bucket = buckets[i];
      const int64_t whole = rounded.whole[i];
      if (whole == 0) continue;
      if (bucket.hunk != kNoHunk) {
        MineHunk& hunk = mine.hunks[bucket.hunk];
        hunk.delta += whole;
        mine.units[hunk.unit].delta += whole;
        mine.units[hunk.unit].shares[bucket.why] += whole;
        continue;
      }
      mine.outside.delta += whole;
      mine.outside.reasons[bucket.why] += whole;
      mine.outside.functions.push_back(
          {bucket.function == PlacedShare::kNone ? std::string() : change_.functions[bucket.function].name,
           static_cast<OutsideReason>(bucket.why), whole});
    }
    order(mine);
    int64_t sum = mine.outside.delta;
    for (const MineUnit& unit : mine.units) sum += unit.delta;
    ICOUNT_CHECK(sum == delta, "units and what is outside add up to the change");
    return mine;
  }

  void name_place(uint32_t h, MineHunk& one) const {
    const DiffHunk& hunk = commits_.diff.hunks[h];
    std::optional<std::pair<size_t, uint64_t>> place;
    const auto look = [&](size_t side, const auto& lines) {
      if (!place && !lines.empty()) place = std::pair(side, *lines.begin());
    };
    if (const auto found = head_lines_.find(h); found != head_lines_.end()) {
      const auto most = std::max_element(found->second.begin(), found->second.end(), [](const auto& a, const auto& b) {
        return std::abs(a.second) < std::abs(b.second);
      });
      place = std::pair(size_t{1}, most->first);
    }
    for (const size_t side : {size_t{1}, size_t{0}}) look(side, executed_lines_[side][h]);
    if (one.text == HunkText::kCode)
      for (const size_t side : {size_t{1}, size_t{0}}) look(side, source_.code_lines(h, side));
    const size_t side = hunk.new_lines.count > 0 || hunk.old_lines.count == 0 ? 1 : 0;
    if (!place) place = std::pair(side, hunk.lines(side).first);
    one.line = place->second;
    one.is_line_of_base = place->first == 0;
    if (const SourceBlock* const function = source_.function_around(place->first, hunk.file, one.line))
      one.function = function->name;
  }

  uint32_t git_hunk_of(uint32_t h, const Mine& mine) const {
    constexpr uint64_t kJoined = 6;  // lines: the context behind one and before the next
    if (h == 0) return 0;
    const DiffHunk &before = commits_.diff.hunks[h - 1], &hunk = commits_.diff.hunks[h];
    const auto begin = [](const LineRange& lines) { return lines.first + (lines.count == 0 ? 1 : 0); };
    const bool joined =
        before.file == hunk.file && begin(hunk.new_lines) - begin(before.new_lines) <= before.new_lines.count + kJoined;
    return mine.hunks[h - 1].git_hunk + (joined ? 0 : 1);
  }

  void describe_hunks(Mine& mine) {
    const Diff& diff = commits_.diff;
    std::set<std::string> others;
    for (uint32_t h = 0; h < diff.hunks.size(); ++h) {
      const DiffHunk& hunk = diff.hunks[h];
      MineHunk& one = mine.hunks.emplace_back();
      one.old_path = diff.files[hunk.file].old_path;
      one.path = diff.files[hunk.file].path();
      one.old_lines = hunk.old_lines;
      one.new_lines = hunk.new_lines;
      one.git_hunk = git_hunk_of(h, mine);
      one.text = source_.text_of(h);
      one.macro = source_.macro_of(h);
      one.type = source_.type_of(h);
      one.data = source_.data_of(h);
      name_place(h, one);
      if (one.text != HunkText::kCode) continue;
      one.source = {hunk.removed, hunk.added};
      one.is_executed = is_executed(h);
      one.may_act_unexecuted = source_.may_act_unexecuted(h);
      for (size_t s = 0; s < 2; ++s) one.source_executions[s] = source_executions(h, s);
      if (one.source_executions[0] || one.source_executions[1])
        one.is_executed = one.source_executions[0].value_or(0) + one.source_executions[1].value_or(0) > 0;
      const size_t side = executed_lines_[0][h].size() > executed_lines_[1][h].size() ? 0 : 1;
      const auto of_side = source_.code_lines(h, side);
      one.lines_with_code = of_side.size();
      one.lines_executed = executed_lines_[side][h].size();
      if (one.lines_with_code == 0) one.lines_with_code = source_.code_lines(h, 1 - side).size();
      one.lines_with_code = std::max(one.lines_with_code, one.lines_executed);
      for (size_t s = 0; s < 2; ++s) one.executions[s] = runs(h, s) ? executions_[s][h] : std::optional<int64_t>(0);
    }
    for (const DiffFile& file : diff.files)
      if (!language_of(file.path()) || file.is_binary || file.is_submodule) others.insert(file.path());
    mine.other_files.assign(others.begin(), others.end());
    for (size_t side = 0; side < 2; ++side) {
      mine.fit[side] = find_fit(side);
      mine.knows_lines = mine.knows_lines && change_.knows_lines[side];
      mine.knows_inlined = mine.knows_inlined && change_.knows_inlined[side] && !has_lines_alone(side);
    }
    mine.files_are_found = std::any_of(paths_.begin(), paths_.end(), [](const PathMatch& match) {
      return std::any_of(match.repository.begin(), match.repository.end(),
                         [](const auto& path) { return !path.empty(); });
    });
  }

  /// Whether the profile was recorded from the sources that the side's commit has.
  LineFit find_fit(size_t side) const {
    std::set<PlaceFrame> executed;
    for (const ExecutedPlace& place : change_.executed[side]) {
      const PlaceChain& chain = change_.chains[side][place.chain];
      if (!chain.empty() && paths_[side].diff_file[chain.front().file] != kNotInDiff) executed.insert(chain.front());
    }
    LineFit fit;
    for (const PlaceFrame& frame : executed) {
      const uint32_t file = paths_[side].diff_file[frame.file];
      const SourceText* const text = frame.line == 0 ? nullptr : source_.source(side, file);
      if (!text) continue;
      ++fit.lines;
      if (frame.line <= text->code.size() && !text->code[frame.line - 1].empty()) continue;
      if (fit.misfits++ > 0) continue;
      fit.path = commits_.diff.files[file].path(side);
      fit.line = frame.line;
    }
    return fit;
  }

  /// Whether code of the repository is known by lines alone.
  bool has_lines_alone(size_t side) const {
    return std::any_of(change_.executed[side].begin(), change_.executed[side].end(), [&](const ExecutedPlace& place) {
      return place.executions < 0 && !paths_[side].repository[change_.chains[side][place.chain].front().file].empty();
    });
  }

  void make_units(Mine& mine) {
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t h = 0; h < mine.hunks.size(); ++h) {
      if (mine.hunks[h].text != HunkText::kCode) continue;
      const auto [at, fresh] = numbers.try_emplace(units_.of(h), static_cast<uint32_t>(mine.units.size()));
      if (fresh) mine.units.emplace_back();
      mine.hunks[h].unit = at->second;
      MineUnit& unit = mine.units[at->second];
      unit.hunks.push_back(h);
      unit.is_executed = unit.is_executed || mine.hunks[h].is_executed;
    }
  }

  static uint64_t magnitude(int64_t value) {
    return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  }

  void order(Mine& mine) const {
    for (MineUnit& unit : mine.units) {
      std::stable_sort(unit.hunks.begin(), unit.hunks.end(), [&](uint32_t a, uint32_t b) {
        return std::tuple(~magnitude(mine.hunks[a].delta), !mine.hunks[a].is_executed, a) <
               std::tuple(~magnitude(mine.hunks[b].delta), !mine.hunks[b].is_executed, b);
      });
      uint64_t direct = 0, all = 0;
      for (size_t why = 0; why < kHunkShares; ++why) {
        const uint64_t part = magnitude(unit.shares[why]);
        all += part;
        if (why <= static_cast<size_t>(HunkShare::kCallsFromChangedLines)) direct += part;
      }
      unit.tells_hunks_apart = unit.hunks.size() > 1 && direct >= all - all / 5;  // four fifths on changed lines
    }
    std::vector<uint32_t> by_size(mine.units.size());
    for (uint32_t i = 0; i < by_size.size(); ++i) by_size[i] = i;
    std::stable_sort(by_size.begin(), by_size.end(), [&](uint32_t a, uint32_t b) {
      return std::tuple(~magnitude(mine.units[a].delta), !mine.units[a].is_executed, a) <
             std::tuple(~magnitude(mine.units[b].delta), !mine.units[b].is_executed, b);
    });
    std::vector<MineUnit> units;
    for (const uint32_t unit : by_size) {
      for (const uint32_t h : mine.units[unit].hunks) mine.hunks[h].unit = static_cast<uint32_t>(units.size());
      units.push_back(std::move(mine.units[unit]));
    }
    mine.units = std::move(units);
    std::stable_sort(mine.outside.functions.begin(), mine.outside.functions.end(),
                     [](const OutsideFunction& a, const OutsideFunction& b) {
                       return std::tuple(~magnitude(a.delta), std::string_view(a.function), a.reason) <
                              std::tuple(~magnitude(b.delta), std::string_view(b.function), b.reason);
                     });
  }

  const PlacedChange& change_;
  const CommitSources& commits_;
  const RunFacts runs_;
  const ChangedSource source_;
  HunkUnits units_;
  std::array<PathMatch, 2> paths_;
  std::array<std::set<std::string_view>, 2> own_files_;  // of the profiles, that the repository has
  std::array<std::unordered_map<uint64_t, FrameHunks>, 2> frames_;
  std::array<std::vector<ChainHunks>, 2> chains_;
  std::map<std::pair<uint32_t, uint64_t>, const ChangedBlock*> around_;
  std::array<std::map<std::string, SourceText>, 2> other_texts_;
  std::array<std::vector<std::set<uint64_t>>, 2> executed_lines_;           // by hunk
  std::array<std::vector<std::optional<int64_t>>, 2> executions_;           // by hunk
  std::array<std::vector<bool>, 2> is_executed_;                            // by hunk
  std::vector<Hunks> symbol_hunks_, holding_;                               // by function
  std::vector<uint32_t> reading_;                                           // by function: the hunk of data it names
  std::map<uint32_t, std::set<std::pair<uint32_t, uint32_t>>> taken_over_;  // by function: hunk and callee
  std::map<uint32_t, uint32_t> type_hunks_;                                 // by function
  std::array<std::unordered_map<std::string, uint32_t>, 2> files_;          // of the diff, by path
  std::optional<MineControl> control_;
  std::set<std::pair<std::string, uint64_t>> ran_otherwise_;
  std::vector<bool> functions_otherwise_;
  std::vector<std::vector<uint32_t>> callers_;
  std::map<Bucket, long double> parts_;
  using TermKey = std::tuple<PlacedShare::Of, uint32_t, uint32_t, uint32_t, size_t>;
  std::vector<std::pair<TermKey, long double>> terms_;
  std::map<uint32_t, std::map<uint64_t, long double>> head_lines_;  // by hunk and line: what is of it
  std::map<uint32_t, long double> weight_, known_weight_;           // by unit: sum of magnitudes
  std::map<uint32_t, std::map<uint32_t, long double>> direct_;      // by function and unit
};

}  // namespace

std::string_view to_text(HunkText text) {
  switch (text) {
    case HunkText::kCode:
      return "code";
    case HunkText::kComment:
      return "comment";
    case HunkText::kMoved:
      return "moved";
    case HunkText::kOtherFile:
      return "other-file";
  }
  ICOUNT_CHECK(false, "every kind of text has a name");
}

std::string_view to_text(HunkShare share) {
  constexpr std::array<std::string_view, kHunkShares> kNames = {
      "changed_lines",        "calls", "macro",   "head",      "same_function", "inlined_into", "type",
      "call_made_or_inlined", "data",  "inlined", "other_work"};
  return kNames[static_cast<size_t>(share)];
}

std::string_view to_text(OutsideReason reason) {
  constexpr std::array<std::string_view, kOutsideReasons> kNames = {"compiled_differently", "other_work", "libraries",
                                                                    "entries", "unknown"};
  return kNames[static_cast<size_t>(reason)];
}

bool executes_none(const Mine& mine) {
  return mine.knows_lines && mine.knows_inlined && mine.files_are_found &&
         std::none_of(mine.hunks.begin(), mine.hunks.end(), [](const MineHunk& hunk) { return hunk.is_executed; });
}

bool is_compilers_alone(const Mine& mine) {
  return executes_none(mine) && mine.outside.reasons[static_cast<size_t>(OutsideReason::kOtherWork)] == 0 &&
         std::none_of(mine.hunks.begin(), mine.hunks.end(),
                      [](const MineHunk& hunk) { return hunk.may_act_unexecuted; });
}

Mine attribute_change(const PlacedChange& change, const CommitSources& commits, int64_t delta, RunFacts runs) {
  return Attribution(change, commits, runs).attribute(delta);
}

}  // namespace icount
