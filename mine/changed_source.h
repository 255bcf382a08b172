// A diff with the sources of both sides: which hunks change code, what lines of base are called in head, which
// functions, types and macros a hunk touches. Knows nothing of profiles.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/mine/attribution.h"
#include "icount/mine/diff_hunks.h"
#include "icount/mine/line_map.h"
#include "icount/mine/source_lexer.h"

namespace icount {

/// By its name, whether it is a file that others include.
bool is_header(std::string_view path);

inline constexpr uint32_t kNoHunk = ~uint32_t{0};

/// Where a line of a file of the diff is: in a hunk of code, or else a line of head.
struct SourceSpot {
  uint32_t hunk = kNoHunk;
  uint32_t file = 0;  ///< index into Diff::files
  uint64_t line = 0;  ///< head's
};

/// A function or a type of head's files, or one that only base has.
struct ChangedBlock {
  uint32_t file = 0;
  size_t side = 1;
  SourceBlock block;
  std::vector<uint32_t> hunks;  ///< of code, ascending
};

class ChangedSource {
 public:
  explicit ChangedSource(const CommitSources& commits);

  const Diff& diff() const { return commits_.diff; }
  HunkText text_of(uint32_t hunk) const { return texts_[hunk]; }
  const MovedText& moved() const { return moved_; }
  /// Hunks before and after unchanged lines that are code on one side alone: they begin or end a comment or a text.
  const std::vector<std::pair<uint32_t, uint32_t>>& around_switched() const { return around_switched_; }
  SourceSpot spot(size_t side, uint32_t file, uint64_t line) const;

  /// How many lines before a line of head, or before a hunk, both sides have: places that don't depend on which side is
  /// called base.
  uint64_t unchanged_before(uint32_t file, uint64_t line) const;
  uint64_t unchanged_before(uint32_t hunk) const;

  /// Lines of a hunk, and unchanged ones that it makes code or takes out, that are code and not moved, on a side.
  std::vector<uint64_t> code_lines(uint32_t hunk, size_t side) const;
  /// The source of a file of the diff; nullptr where it is not at hand or no source.
  const SourceText* source(size_t side, uint32_t file) const;

  /// The changed function around a line of head, or else the changed type, also around its constructors, its destructor
  /// and its assignments wherever they stand; nullptr where there is none.
  const ChangedBlock* changed_around(uint32_t file, uint64_t line) const;
  /// Whether a line of head lies in any function.
  const SourceBlock* function_around(size_t side, uint32_t file, uint64_t line) const;
  const std::vector<ChangedBlock>& changed_functions() const { return functions_; }
  /// By name, the hunk that touches the macro's definition, or that of a macro which it names.
  const std::map<std::string, uint32_t>& macros() const { return macros_; }
  /// By name, the hunk that touches the head of a function that both sides have: what calls it passes other things.
  const std::map<std::string, uint32_t>& heads() const { return heads_; }
  /// By name, the hunk that touches the initial value of a variable that any file may read, or this one.
  uint32_t data_hunk(const std::string& name, uint32_t file) const;
  bool has_names() const { return !macros_.empty() || !heads_.empty() || !data_.empty(); }
  /// Whether a file's text has the name of such a macro, function or variable at all.
  bool may_name_changed(std::string_view text) const;
  /// Names of the macro, of the type and of the variable that a hunk touches; empty: none.
  const std::string& macro_of(uint32_t hunk) const { return macro_of_[hunk]; }
  const std::string& type_of(uint32_t hunk) const { return type_of_[hunk]; }
  const std::string& data_of(uint32_t hunk) const { return data_of_[hunk]; }
  /// Whether a hunk changes nothing but what stands between quotes: it acts where that is read.
  bool changes_texts_alone(uint32_t hunk) const { return texts_alone_[hunk]; }
  /// Whether a hunk may act without being executed: not all of it lies in bodies of functions that run, if at all, when
  /// the program does.
  bool may_act_unexecuted(uint32_t hunk) const;
  /// Whether a hunk changes data that a type holds, or what it is derived from: what makes, copies and ends it changes.
  bool changes_members(uint32_t hunk) const;
  /// By name, a hunk that touches the type outside of its functions: the last.
  const std::map<std::string, uint32_t>& types() const { return types_by_name_; }

 private:
  void load_sources();
  void drop_moved_statements();
  void judge_hunks();
  void find_switched_lines();
  void find_blocks();
  void find_macros();
  void find_heads();
  void find_data();
  void add_to_block(size_t side, uint32_t file, const SourceBlock& block, uint32_t hunk);
  const SourceBlock* head_namesake(uint32_t file, const SourceBlock& block) const;

  const CommitSources& commits_;
  HunkMap hunks_;
  MovedText moved_;
  std::array<std::vector<std::optional<SourceText>>, 2> sources_;  // by file
  std::vector<uint64_t> added_before_;                             // by hunk, in its file
  std::array<std::map<DiffLine, uint32_t>, 2> switched_;           // lines that a hunk before them makes code
  std::vector<std::pair<uint32_t, uint32_t>> around_switched_;
  std::vector<HunkText> texts_;
  std::vector<std::string> macro_of_, type_of_, data_of_;
  std::vector<bool> texts_alone_;  // by hunk
  std::vector<ChangedBlock> functions_, types_;
  std::map<std::tuple<size_t, uint32_t, uint64_t, int>, size_t> block_numbers_;  // side, file, first line, kind
  std::map<std::string, uint32_t> macros_, heads_, types_by_name_;
  std::map<std::pair<std::string, uint32_t>, uint32_t> data_;  // by name and file, kAnyFile for a header's
};

}  // namespace icount
