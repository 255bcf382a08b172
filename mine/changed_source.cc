#include "icount/mine/changed_source.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "icount/base/text.h"

namespace icount {
namespace {

/// The text of a hunk's side alone, where the whole file is not at hand.
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string join_code(const SourceText& source, uint64_t first, uint64_t count) {
  std::string code;
  for (uint64_t line = first; line < first + count && line <= source.code.size(); ++line) code += source.code[line - 1];
  return code;
}

/// Without what stands between quotes.
std::string without_texts(const std::string& code) {
  std::string rest;
  char quote = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    if (quote == 0) rest += code[i];
    if (quote != 0 && code[i] == '\\')
      ++i;
    else if (quote == 0 && (code[i] == '"' || code[i] == '\''))
      quote = code[i];
    else if (code[i] == quote)
      quote = 0;
  }
  return rest;
}

constexpr uint32_t kAnyFile = ~uint32_t{0};

}  // namespace

bool is_header(std::string_view path) {
  static constexpr std::string_view kOthers[] = {"inc", "inl", "def", "ipp", "tpp", "cuh"};
  const std::string_view ending = path.substr(path.find_last_of('.') + 1);
  return ending.starts_with('h') || ending.starts_with('H') ||
         std::find(std::begin(kOthers), std::end(kOthers), ending) != std::end(kOthers);
}

ChangedSource::ChangedSource(const CommitSources& commits)
    : commits_(commits),
      hunks_(commits.diff),
      moved_(find_moved_text(commits.diff)),
      texts_(commits.diff.hunks.size(), HunkText::kCode),
      macro_of_(texts_.size()),
      type_of_(texts_.size()),
      data_of_(texts_.size()),
      texts_alone_(texts_.size(), false) {
  added_before_.resize(texts_.size());
  for (uint32_t file = 0; file < diff().files.size(); ++file) {
    uint64_t added = 0;
    for (const uint32_t h : hunks_.of(1, file)) {
      added_before_[h] = added;
      added += diff().hunks[h].new_lines.count;
    }
  }
  load_sources();
  drop_moved_statements();
  judge_hunks();
  find_switched_lines();
  find_blocks();
  find_macros();
  find_heads();
  find_data();
}

void ChangedSource::load_sources() {
  for (size_t side = 0; side < 2; ++side) {
    sources_[side].resize(diff().files.size());
    for (uint32_t i = 0; i < diff().files.size(); ++i) {
      const DiffFile& file = diff().files[i];
      const auto language = language_of(file.path());
      if (!language || file.path(side).empty() || hunks_.of(side, i).empty() || !commits_.text) continue;
      if (const auto text = commits_.text(side, file.path(side))) sources_[side][i] = read_source(*text, *language);
    }
  }
}

void ChangedSource::judge_hunks() {
  for (uint32_t h = 0; h < diff().hunks.size(); ++h) {
    const DiffHunk& hunk = diff().hunks[h];
    const DiffFile& file = diff().files[hunk.file];
    const auto language = language_of(file.path());
    if (!language || file.is_submodule) {
      texts_[h] = HunkText::kOtherFile;
      continue;
    }
    std::array<std::string, 2> code;
    for (size_t side = 0; side < 2; ++side) {
      const SourceText* const whole = source(side, hunk.file);
      code[side] = whole ? join_code(*whole, hunk.lines(side).first, hunk.lines(side).count)
                         : join_code(read_source(joined(hunk.text(side)), *language), 1, hunk.lines(side).count);
    }
    texts_alone_[h] = without_texts(code[0]) == without_texts(code[1]);
    if (code[0] == code[1])
      texts_[h] = HunkText::kComment;
    else if (code_lines(h, 0).empty() && code_lines(h, 1).empty())
      texts_[h] = HunkText::kMoved;
  }
}

/// A hunk of comment signs alone changes no code of its own, but what the lines behind it are.
void ChangedSource::find_switched_lines() {
  const auto begin = [](const LineRange& lines) { return lines.first + (lines.count == 0 ? 1 : 0); };
  const auto end = [](const LineRange& lines) { return lines.first + (lines.count == 0 ? 1 : lines.count); };
  for (uint32_t file = 0; file < diff().files.size(); ++file) {
    const SourceText *const base = source(0, file), *const head = source(1, file);
    const std::vector<uint32_t>& hunks = hunks_.of(0, file);
    for (size_t i = 0; base && head && i < hunks.size(); ++i) {
      const DiffHunk& hunk = diff().hunks[hunks[i]];
      const uint64_t stop = i + 1 < hunks.size() ? begin(diff().hunks[hunks[i + 1]].old_lines) : base->code.size() + 1;
      bool switches = false;
      for (uint64_t was = end(hunk.old_lines), now = end(hunk.new_lines); was < stop; ++was, ++now) {
        if (now > head->code.size() || base->code[was - 1] == head->code[now - 1]) continue;
        switches = true;
        switched_[0].emplace(DiffLine{file, was}, hunks[i]);
        switched_[1].emplace(DiffLine{file, now}, hunks[i]);
      }
      if (!switches) continue;
      const uint32_t after = hunks[std::min(i + 1, hunks.size() - 1)];
      around_switched_.emplace_back(hunks[i], after);
      texts_[hunks[i]] = texts_[after] = HunkText::kCode;
    }
  }
}

void ChangedSource::drop_moved_statements() {
  const auto stays = [&](size_t side, const std::map<DiffLine, DiffLine>& moved, const DiffLine& line) {
    const SourceBlock* const function = function_around(side, line.first, line.second);
    return function && !moved.contains({line.first, function->first});
  };
  std::vector<std::pair<DiffLine, DiffLine>> edits;
  for (const auto& [was, is] : moved_.to_head)
    if (stays(0, moved_.to_head, was) || stays(1, moved_.to_base, is)) edits.emplace_back(was, is);
  for (const auto& [was, is] : edits) {
    moved_.to_head.erase(was);
    moved_.to_base.erase(is);
  }
}

std::vector<uint64_t> ChangedSource::code_lines(uint32_t h, size_t side) const {
  const DiffHunk& hunk = diff().hunks[h];
  const auto& moved = side == 0 ? moved_.to_head : moved_.to_base;
  const SourceText* const whole = source(side, hunk.file);
  SourceText alone;
  if (!whole) alone = read_source(joined(hunk.text(side)), *language_of(diff().files[hunk.file].path()));
  std::vector<uint64_t> lines;
  for (uint64_t i = 0; i < hunk.lines(side).count; ++i) {
    const uint64_t line = hunk.lines(side).first + i;
    if (moved.contains({hunk.file, line})) continue;
    const std::vector<std::string>& code = whole ? whole->code : alone.code;
    const uint64_t at = whole ? line - 1 : i;
    if (at < code.size() && !code[at].empty()) lines.push_back(line);
  }
  for (const auto& [line, switching] : switched_[side])
    if (switching == h && !whole->code[line.second - 1].empty()) lines.push_back(line.second);
  return lines;
}

const SourceText* ChangedSource::source(size_t side, uint32_t file) const {
  const auto& found = sources_[side][file];
  return found ? &*found : nullptr;
}

SourceSpot ChangedSource::spot(size_t side, uint32_t file, uint64_t line) const {
  if (side == 0) {
    if (const auto moved = moved_.to_head.find({file, line}); moved != moved_.to_head.end())
      return {kNoHunk, moved->second.first, moved->second.second};
  } else if (moved_.to_base.contains({file, line})) {
    return {kNoHunk, file, line};
  }
  if (const auto switched = switched_[side].find({file, line}); switched != switched_[side].end())
    return {switched->second, file, line};
  if (const auto h = hunks_.before(side, file, line);
      h && diff().hunks[*h].lines(side).has(line) && texts_[*h] == HunkText::kCode)
    return {*h, file, line};
  return {kNoHunk, file, side == 0 ? hunks_.head_line(file, line) : line};
}

uint64_t ChangedSource::unchanged_before(uint32_t file, uint64_t line) const {
  const auto before = hunks_.before(1, file, line);
  if (!before) return line - 1;
  const LineRange& lines = diff().hunks[*before].new_lines;
  const uint64_t added = added_before_[*before] + (lines.has(line) ? line - lines.first : lines.count);
  return line - 1 - added;
}

uint64_t ChangedSource::unchanged_before(uint32_t hunk) const {
  const LineRange& lines = diff().hunks[hunk].new_lines;
  return unchanged_before(diff().hunks[hunk].file, lines.count == 0 ? lines.first + 1 : lines.first);
}

const SourceBlock* ChangedSource::function_around(size_t side, uint32_t file, uint64_t line) const {
  const SourceText* const text = source(side, file);
  return text ? text->around(line, SourceBlock::Kind::kFunction) : nullptr;
}

/// A function of base as head has it: the nearest of its name.
const SourceBlock* ChangedSource::head_namesake(uint32_t file, const SourceBlock& block) const {
  const SourceText* const head = source(1, file);
  if (!head) return nullptr;
  const uint64_t wanted = hunks_.head_line(file, block.first);
  const SourceBlock* nearest = nullptr;
  const auto distance = [&](const SourceBlock& one) {
    return one.first > wanted ? one.first - wanted : wanted - one.first;
  };
  for (const SourceBlock& one : head->blocks)
    if (one.kind == block.kind && one.name == block.name && (!nearest || distance(one) < distance(*nearest)))
      nearest = &one;
  return nearest;
}

void ChangedSource::add_to_block(size_t side, uint32_t file, const SourceBlock& block, uint32_t hunk) {
  std::vector<ChangedBlock>& blocks = block.kind == SourceBlock::Kind::kFunction ? functions_ : types_;
  const auto [at, fresh] =
      block_numbers_.try_emplace({side, file, block.first, static_cast<int>(block.kind)}, blocks.size());
  if (fresh) blocks.push_back({file, side, block, {}});
  std::vector<uint32_t>& hunks = blocks[at->second].hunks;
  if (std::find(hunks.begin(), hunks.end(), hunk) == hunks.end()) hunks.push_back(hunk);
}

void ChangedSource::find_blocks() {
  using Kind = SourceBlock::Kind;
  for (uint32_t h = 0; h < texts_.size(); ++h) {
    if (texts_[h] != HunkText::kCode) continue;
    const DiffHunk& hunk = diff().hunks[h];
    for (const size_t side : {size_t{1}, size_t{0}}) {
      const SourceText* const text = source(side, hunk.file);
      if (!text) continue;
      std::vector<uint64_t> lines = code_lines(h, side);
      // Removed lines leave a gap: in the function around it.
      if (hunk.lines(side).count == 0 && hunk.lines(side).first > 0) lines = {hunk.lines(side).first};
      const bool is_gap = hunk.lines(side).count == 0;
      const SourceBlock* last = nullptr;
      for (const uint64_t line : lines) {
        const SourceBlock* block = text->around(line, Kind::kFunction);
        if (!block && !text->around(line, Kind::kData)) block = text->around(line, Kind::kType);
        if (!block || block == last || (is_gap && block->last == line)) continue;
        last = block;
        if (block->kind == Kind::kType && !is_gap && !block->name.empty()) {
          type_of_[h] = block->name;
          types_by_name_[block->name] = h;
        }
        const SourceBlock* const namesake = side == 0 ? head_namesake(hunk.file, *block) : nullptr;
        if (namesake)
          add_to_block(1, hunk.file, *namesake, h);
        else
          add_to_block(side, hunk.file, *block, h);
      }
    }
  }
}

void ChangedSource::find_macros() {
  for (uint32_t h = 0; h < texts_.size(); ++h) {
    if (texts_[h] != HunkText::kCode) continue;
    for (const size_t side : {size_t{1}, size_t{0}}) {
      const SourceText* const text = source(side, diff().hunks[h].file);
      if (!text) continue;
      for (const uint64_t line : code_lines(h, side))
        if (const SourceBlock* const macro = text->around(line, SourceBlock::Kind::kMacro)) {
          macros_.try_emplace(macro->name, h);
          if (macro_of_[h].empty()) macro_of_[h] = macro->name;
        }
    }
  }
  // Macros that name a changed one.
  for (bool grows = !macros_.empty(); grows;) {
    grows = false;
    for (const auto& sources : sources_)
      for (const auto& text : sources) {
        if (!text) continue;
        for (const SourceBlock& block : text->blocks) {
          if (block.kind != SourceBlock::Kind::kMacro || macros_.contains(block.name)) continue;
          for (uint64_t line = block.first; line <= block.last && line <= text->words.size(); ++line)
            for (const std::string& word : text->words[line - 1])
              if (const auto found = macros_.find(word); found != macros_.end())
                grows = macros_.try_emplace(block.name, found->second).second || grows;
        }
      }
  }
}

void ChangedSource::find_heads() {
  using Kind = SourceBlock::Kind;
  const auto has = [&](size_t side, uint32_t file, Kind kind, const std::string& name) {
    const SourceText* const text = source(side, file);
    return text && std::any_of(text->blocks.begin(), text->blocks.end(),
                               [&](const SourceBlock& block) { return block.kind == kind && block.name == name; });
  };
  for (uint32_t h = 0; h < texts_.size(); ++h) {
    if (texts_[h] != HunkText::kCode) continue;
    const uint32_t file = diff().hunks[h].file;
    for (const size_t side : {size_t{1}, size_t{0}})
      for (const uint64_t line : code_lines(h, side)) {
        const SourceBlock* const function = function_around(side, file, line);
        if (!function || line > function->opened || function->name.empty()) continue;
        // A type's name stands on many lines that call no constructor.
        if (has(1 - side, file, Kind::kFunction, function->name) && !has(side, file, Kind::kType, function->name))
          heads_.try_emplace(function->name, h);
      }
  }
}

void ChangedSource::find_data() {
  for (uint32_t h = 0; h < texts_.size(); ++h) {
    const uint32_t file = diff().hunks[h].file;
    for (const size_t side : {size_t{1}, size_t{0}}) {
      const SourceText* const text = texts_[h] == HunkText::kCode ? source(side, file) : nullptr;
      if (!text) continue;
      for (const uint64_t line : code_lines(h, side))
        if (const SourceBlock* const data = text->around(line, SourceBlock::Kind::kData)) {
          data_.try_emplace({data->name, is_header(diff().files[file].path()) ? kAnyFile : file}, h);
          if (data_of_[h].empty()) data_of_[h] = data->name;
        }
    }
  }
}

uint32_t ChangedSource::data_hunk(const std::string& name, uint32_t file) const {
  for (const uint32_t in : {kAnyFile, file})
    if (const auto found = data_.find({name, in}); found != data_.end()) return found->second;
  return kNoHunk;
}

bool ChangedSource::may_name_changed(std::string_view text) const {
  const auto has = [&](const std::string& name) { return text.find(name) != std::string_view::npos; };
  return std::any_of(macros_.begin(), macros_.end(), [&](const auto& macro) { return has(macro.first); }) ||
         std::any_of(heads_.begin(), heads_.end(), [&](const auto& head) { return has(head.first); }) ||
         std::any_of(data_.begin(), data_.end(), [&](const auto& data) { return has(data.first.first); });
}

bool ChangedSource::may_act_unexecuted(uint32_t hunk) const {
  const uint32_t file = diff().hunks[hunk].file;
  const auto runs_in_compiler = [](const SourceText& text, const SourceBlock& function) {
    std::string_view before;
    for (uint64_t line = function.first; line <= function.opened; ++line)
      for (const std::string& word : text.words[line - 1]) {
        if (word == "constexpr" || word == "consteval" || (word == "fn" && before == "const")) return true;
        before = word;
      }
    return false;
  };
  for (size_t side = 0; side < 2; ++side)
    for (const uint64_t line : code_lines(hunk, side)) {
      const SourceText* const text = source(side, file);
      const SourceBlock* const function = function_around(side, file, line);
      if (!function || line <= function->opened || text->code[line - 1].starts_with('#') ||
          text->around(line, SourceBlock::Kind::kMacro) || runs_in_compiler(*text, *function))
        return true;
    }
  return false;
}

namespace {

/// `std::map<int, int> seen_{};`, no function, alias or static member.
bool declares_data(const std::string& code, const std::vector<std::string>& words) {
  static const std::set<std::string> kOthers = {"using",  "typedef", "friend",  "static", "template",
                                                "public", "private", "virtual", "enum",   "protected"};
  if (words.empty() || kOthers.contains(words.front())) return false;
  int depth = 0;
  for (const char c : code) {
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth > 0) continue;
    if (c == '(') return false;
    if (c == '=' || c == '{' || c == ';') return true;
  }
  return false;
}

}  // namespace

bool ChangedSource::changes_members(uint32_t hunk) const {
  const uint32_t file = diff().hunks[hunk].file;
  for (size_t side = 0; side < 2; ++side)
    for (const uint64_t line : code_lines(hunk, side)) {
      const SourceText* const text = source(side, file);
      const SourceBlock* const type = text ? text->around(line, SourceBlock::Kind::kType) : nullptr;
      if (!type || function_around(side, file, line) || text->around(line, SourceBlock::Kind::kData)) continue;
      if (line <= type->opened || declares_data(text->code[line - 1], text->words[line - 1])) return true;
    }
  return false;
}

const ChangedBlock* ChangedSource::changed_around(uint32_t file, uint64_t line) const {
  const SourceText* const text = source(1, file);
  if (!text) return nullptr;
  const auto find = [&](const SourceBlock* block, const std::vector<ChangedBlock>& blocks) -> const ChangedBlock* {
    if (!block) return nullptr;
    const auto found = block_numbers_.find({1, file, block->first, static_cast<int>(block->kind)});
    return found == block_numbers_.end() ? nullptr : &blocks[found->second];
  };
  const SourceBlock* const type = text->around(line, SourceBlock::Kind::kType);
  const SourceBlock* const function = text->around(line, SourceBlock::Kind::kFunction);
  if (!function) return find(type, types_);
  const ChangedBlock* const changed = find(function, functions_);
  if (changed) return changed;
  std::string_view made = function->name;
  if (made.starts_with('~')) made.remove_prefix(1);
  if (made == "operator=" && type) made = type->name;
  const auto found =
      std::find_if(types_.begin(), types_.end(), [&](const ChangedBlock& one) { return one.block.name == made; });
  return found == types_.end() ? nullptr : &*found;
}

}  // namespace icount
