#include "icount/kernels/sass_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "icount/base/text.h"

namespace icount {
namespace {

// Where fields lie in the 128 bits of an instruction, from Volta on. Only a field that may differ is named: what is not
// in one of them has to be equal.

constexpr int kGuardBit = 12, kGuardNotBit = 15;
constexpr int kRegisterBits = 8, kUniformBits = 6;
constexpr int kImmediateField = 32;
constexpr int kRegisterFields[] = {16, 24, kImmediateField, 64};
constexpr int kPredicateBits = 3;
constexpr int kPredicateFields[] = {kGuardBit, 68, 77, 81, 84, 87};
constexpr int kBarrierField = 16, kBarrierBits = 4;                      // B0..B15 of BSSY and BSYNC
constexpr std::pair<int, int> kConstantFields[] = {{38, 16}, {37, 17}};  // the second: LDCU of sm_100
// The distance of a jump's target from the next instruction, in words of four bytes: in the second field, or its lower
// bits in the first and the others in the second (sm_90).
constexpr int kLowDistance = 16, kLowDistanceBits = 8, kDistance = 34, kDistanceBits = 48;
constexpr int kScheduleBegin = 105, kScheduleEnd = 126;

using Bits = std::array<uint64_t, 2>;

Bits bits_of(const SassInstruction& one) { return {one.low, one.high}; }

uint64_t field(const Bits& bits, int begin, int count) {
  const int word = begin / 64, shift = begin % 64;
  uint64_t value = bits[word] >> shift;
  if (shift + count > 64 && word == 0) value |= bits[1] << (64 - shift);
  return value & ((uint64_t{1} << count) - 1);
}

void clear(Bits& bits, int begin, int end) {
  for (int i = begin; i < end; ++i) bits[i / 64] &= ~(uint64_t{1} << (i % 64));
}

/// The bits of an instruction without those that say how far it is from `index` to `target`, and in which way they do;
/// with all where they do not.
enum class DistanceForm { kNone, kWhole, kSplit };
std::pair<Bits, DistanceForm> without_target(const SassInstruction& one, size_t index, uint64_t target) {
  Bits bits = bits_of(one);
  const auto words = (static_cast<int64_t>(target) - static_cast<int64_t>((index + 1) * kSassBytes)) / 4;
  const auto says = [&](int at, int count, int64_t value) {
    return field(bits, at, count) == (static_cast<uint64_t>(value) & ((uint64_t{1} << count) - 1));
  };
  constexpr int kMeetingBits = 30;  // of BSSY
  const int count = one.opcode.starts_with("BSSY") ? kMeetingBits : kDistanceBits;
  const bool is_whole = says(kDistance, count, words);
  const bool is_split =
      says(kDistance, count, words >> kLowDistanceBits) && says(kLowDistance, kLowDistanceBits, words);
  if (is_whole || is_split) clear(bits, kDistance, kDistance + count);
  if (is_split && !is_whole) clear(bits, kLowDistance, kLowDistance + kLowDistanceBits);
  return {bits, is_whole ? DistanceForm::kWhole : is_split ? DistanceForm::kSplit : DistanceForm::kNone};
}

enum class Name { kRegister, kUniform, kPredicate, kUniformPredicate, kBarrier };
constexpr size_t kNames = 5;

/// A piece of an operand.
struct Token {
  enum class Kind { kText, kName, kConstant } kind = Kind::kText;
  std::string text;  ///< of kText, and what stands around the number of a constant
  Name name = Name::kRegister;
  int number = 0;
  int span = 1;  ///< registers that it stands for; 0: not known
  unsigned bank = 0;
  int64_t offset = 0;
  int64_t bytes = 4;     ///< of a constant: at most so many are read
  bool indexed = false;  ///< a register is added to it
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

std::optional<Token> name_token(std::string_view word) {
  constexpr std::pair<std::string_view, Name> kKinds[] = {{"UR", Name::kUniform},
                                                          {"UP", Name::kUniformPredicate},
                                                          {"R", Name::kRegister},
                                                          {"P", Name::kPredicate},
                                                          {"B", Name::kBarrier}};
  for (const auto& [prefix, name] : kKinds) {
    if (!word.starts_with(prefix)) continue;
    const std::string_view digits = word.substr(prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) continue;
    Token token;
    token.kind = Token::Kind::kName;
    token.name = name;
    token.number = number;
    return token;
  }
  return std::nullopt;
}

/// "0x210" or "-0x8000" at `at`; advances it.
std::optional<int64_t> take_number(std::string_view text, size_t& at) {
  size_t begin = at;
  const bool negative = begin < text.size() && text[begin] == '-';
  if (negative) ++begin;
  if (!text.substr(begin).starts_with("0x")) return std::nullopt;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + begin + 2, text.data() + text.size(), value, 16);
  if (error != std::errc() || value > uint64_t{1} << 40) return std::nullopt;
  at = static_cast<size_t>(end - text.data());
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

class Tokens {
 public:
  explicit Tokens(std::string_view operands) : text_(operands) { split_up(); }

  std::vector<Token> take() { return std::move(tokens_); }

 private:
  void split_up() {
    while (at_ < text_.size()) {
      if (text_.substr(at_).starts_with("c[0x")) {
        take_constant();
      } else if (is_word(text_[at_])) {
        take_word();
      } else {
        add_text(text_.substr(at_++, 1));
      }
    }
  }

  void take_word() {
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    const bool is_modifier = !tokens_.empty() && tokens_.back().kind == Token::Kind::kText &&
                             tokens_.back().text.ends_with('.');  // R2.B1 is a byte of R2
    if (auto token = is_modifier ? std::nullopt : name_token(word)) {
      tokens_.push_back(std::move(*token));
    } else if (word == "reuse" && !tokens_.empty() && tokens_.back().kind == Token::Kind::kText &&
               tokens_.back().text.ends_with('.')) {
      tokens_.back().text.pop_back();  // a hint, one of the scheduling bits
      if (tokens_.back().text.empty()) tokens_.pop_back();
    } else {
      add_text(word);
    }
  }

  /// c[0x3][R4+0x10]: a constant with its bank, the register that is added, and what is left as text.
  void take_constant() {
    size_t at = at_ + 2;
    const auto bank = take_number(text_, at);
    const size_t close = text_.find(']', at + 1);
    if (!bank || at + 1 >= text_.size() || text_[at] != ']' || text_[at + 1] != '[' ||
        close == std::string_view::npos) {
      add_text(text_.substr(at_++, 1));
      return;
    }
    add_text("c[");
    Token token;
    token.kind = Token::Kind::kConstant;
    token.bank = static_cast<unsigned>(*bank);
    at += 2;
    at_ = at;
    while (at_ < close) {
      size_t next = at_;
      if (const auto offset = take_number(text_.substr(0, close), next)) {
        token.offset += *offset;
        at_ = next;
      } else if (is_word(text_[at_])) {
        take_word();
        std::string& last = tokens_.back().text;  // a register of zero is none
        if (last.ends_with("URZ"))
          last.resize(last.size() - 3);
        else if (last.ends_with("RZ"))
          last.resize(last.size() - 2);
        else
          token.indexed = true;
      } else {
        if (text_[at_] != '+') add_text(text_.substr(at_, 1));
        ++at_;
      }
    }
    tokens_.push_back(std::move(token));
    at_ = close + 1;
    add_text("]");
  }

  void add_text(std::string_view text) {
    if (tokens_.empty() || tokens_.back().kind != Token::Kind::kText) tokens_.emplace_back();
    tokens_.back().text += text;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

bool has_modifier(std::string_view opcode, std::string_view modifier) {
  for (const std::string_view part : split(opcode, '.'))
    if (part == modifier) return true;
  return false;
}

/// Instructions whose operands are single registers, or pairs and quadruples where a modifier says so.
const std::set<std::string_view>& plain_stems() {
  static const std::set<std::string_view> kStems = {
      "MOV",    "IADD3",    "IADD",      "IMAD",   "IMUL",     "LOP3",      "SHF",    "SHL",    "SHR",       "LEA",
      "FADD",   "FMUL",     "FFMA",      "FMNMX",  "FSETP",    "FSET",      "FSEL",   "FCHK",   "ISETP",     "SEL",
      "PRMT",   "POPC",     "FLO",       "BREV",   "IABS",     "IMNMX",     "VIADD",  "VIMNMX", "VIADDMNMX", "MUFU",
      "S2R",    "S2UR",     "SHFL",      "VOTE",   "VOTEU",    "HADD2",     "HMUL2",  "HFMA2",  "HSETP2",    "HSET2",
      "HMNMX2", "BMSK",     "SGXT",      "I2FP",   "F2FP",     "FRND",      "F2I",    "I2F",    "F2F",       "I2I",
      "R2UR",   "UMOV",     "UIADD3",    "UIMAD",  "ULOP3",    "USHF",      "ULEA",   "UISETP", "USEL",      "UPRMT",
      "UPOPC",  "UFLO",     "UBREV",     "USGXT",  "UBMSK",    "PLOP3",     "UPLOP3", "BAR",    "BRA",       "EXIT",
      "NOP",    "BSSY",     "BSYNC",     "MEMBAR", "ERRBAR",   "CGAERRBAR", "CCTL",   "LDG",    "STG",       "LDS",
      "STS",    "LDC",      "LDL",       "STL",    "LDCU",     "ULDC",      "LD",     "ST",     "RED",       "REDG",
      "ATOMG",  "ATOMS",    "ATOM",      "DADD",   "DMUL",     "DFMA",      "DSETP",  "DMNMX",  "CS2R",      "DEPBAR",
      "YIELD",  "WARPSYNC", "NANOSLEEP", "LEPC",   "VABSDIFF", "IDP",       "RET",    "CALL",   "KILL"};
  return kStems;
}

/// Registers that a vector takes: 2 for "F32x2", 4 for "BF16x8"; 0 for any other modifier.
int vector_span(std::string_view modifier) {
  const size_t x = modifier.find('x');
  if (x == std::string_view::npos) return 0;
  const size_t begin = modifier.find_first_of("0123456789");
  const auto bits = parse_int64(modifier.substr(std::min(begin, x), x - std::min(begin, x)));
  const auto count = parse_int64(modifier.substr(x + 1));
  constexpr int64_t kRegister = 32, kMost = 1024;
  if (!bits || !count || *bits > kMost || *count > kMost) return 0;
  return static_cast<int>((*bits * *count + kRegister - 1) / kRegister);
}

/// Registers that each register of the operands stands for; 0: not known.
int span_of(std::string_view opcode) {
  const std::string_view stem = opcode.substr(0, opcode.find('.'));
  if (!plain_stems().contains(stem)) return 0;
  if (stem == "CS2R") return has_modifier(opcode, "32") ? 1 : 2;
  if (stem.starts_with('D') && stem != "DEPBAR") return 2;
  if (stem == "RET" || stem == "CALL" || stem == "LEPC") return 2;  // an address
  int span = 1;
  for (const std::string_view part : split(opcode, '.')) {
    if (part.find("128") != std::string_view::npos) return 4;
    if (part.find("256") != std::string_view::npos) return 8;
    if (part.find("64") != std::string_view::npos || part == "WIDE") span = 2;
    span = std::max(span, vector_span(part));
  }
  if (stem == "ATOM" || stem == "ATOMG" || stem == "ATOMS")  // CAS: the value to compare with and the new one
    return has_modifier(opcode, "CAS") ? 2 * span : span;
  return span;
}

/// The tokens of one instruction's operands with their spans.
std::vector<Token> tokens_of(const SassInstruction& one) {
  std::vector<Token> tokens = Tokens(one.operands).take();
  const int usual = span_of(one.opcode);
  const std::string_view stem = std::string_view(one.opcode).substr(0, one.opcode.find('.'));
  const bool wide_address = has_modifier(one.opcode, "E") || has_modifier(one.opcode, "SYS");
  // Of two factors and an addend: WIDE has 64 bits of the result and the addend, HI of the addend alone.
  const bool is_wide = has_modifier(one.opcode, "WIDE");
  const bool is_product = is_wide || (stem.ends_with("IMAD") && has_modifier(one.opcode, "HI"));
  constexpr int kAddend = 3;
  int operand = 0;  // predicates not counted
  int depth = 0;
  bool first = true;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    if (token.kind == Token::Kind::kText)
      for (const char c : token.text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        operand += c == ',' ? 1 : c == 'P' ? -1 : 0;  // PT and UPT
      }
    if (token.name == Name::kPredicate || token.name == Name::kUniformPredicate) --operand;
    if (token.kind == Token::Kind::kConstant)
      token.bytes = int64_t{4} * std::max({usual, usual == 0 ? 16 : 1, is_product ? 2 : 1});
    if (token.kind != Token::Kind::kName || (token.name != Name::kRegister && token.name != Name::kUniform)) continue;
    token.span = usual;
    if (is_product) token.span = (is_wide && first) || operand >= kAddend ? 2 : 1;
    if (i + 1 < tokens.size() && tokens[i + 1].kind == Token::Kind::kText && tokens[i + 1].text.starts_with(".64"))
      token.span = std::max(token.span, usual == 0 ? 0 : 2);
    if (depth > 0 && usual != 0) {
      const auto is_behind = [&](std::string_view text) {
        return i > 0 && tokens[i - 1].kind == Token::Kind::kText && tokens[i - 1].text.ends_with(text);
      };
      const bool described = is_behind("desc[") || is_behind("cx[");  // the descriptor of memory, of a bank
      const bool is_64 = i + 1 < tokens.size() && tokens[i + 1].text.starts_with(".64");
      token.span = described || is_64 || wide_address || stem == "LD" || stem == "ST" || stem == "CCTL" ? 2 : 1;
    }
    first = false;
  }
  return tokens;
}

/// A number for each name on the other side, one to one.
class Renaming {
 public:
  bool pair(Name name, int base, int head) {
    auto& there = there_[static_cast<size_t>(name)];
    auto& back = back_[static_cast<size_t>(name)];
    const auto [to, is_new] = there.emplace(base, head);
    const auto [from, is_new_back] = back.emplace(head, base);
    if (base != head) renamed_[static_cast<size_t>(name)] = true;
    return to->second == head && from->second == base;
  }
  bool renamed(Name name) const { return renamed_[static_cast<size_t>(name)]; }
  bool renamed() const { return std::find(renamed_.begin(), renamed_.end(), true) != renamed_.end(); }

 private:
  std::array<std::map<int, int>, kNames> there_, back_;
  std::array<bool, kNames> renamed_{};
};

class Matcher {
 public:
  Matcher(const SassSide& base, const SassSide& head) : base_(base), head_(head) {}

  SassMatch match() {
    if (!compare_surroundings()) return result_;
    const size_t length = length_without_padding(*base_.code);
    SassMatch linear = length == length_without_padding(*head_.code) ? match_in_order(length) : differing_length();
    if (linear.relation != SassRelation::kDiffers) return linear;
    const size_t base_at = linear.base_at, head_at = linear.head_at;
    const std::string reason = linear.reason;
    SassMatch moved = match_as_graph();
    if (moved.relation != SassRelation::kDiffers) return moved;
    moved.base_at = base_at, moved.head_at = head_at, moved.reason = reason;
    return moved;
  }

 private:
  SassMatch differing_length() {
    SassMatch result;
    const size_t shorter = std::min(base_.code->size(), head_.code->size());
    size_t i = 0;
    while (i < shorter && (*base_.code)[i].opcode == (*head_.code)[i].opcode) ++i;
    result.base_at = result.head_at = std::min(i, shorter == 0 ? 0 : shorter - 1);
    result.reason = fmt::format("{} instructions became {}", with_thousands(to_count(*base_.code)),
                                with_thousands(to_count(*head_.code)));
    return result;
  }

  static int64_t to_count(const SassCode& code) { return static_cast<int64_t>(length_without_padding(code)); }

  /// What the code refers to outside itself, but for constants by their places.
  bool compare_surroundings() {
    if (base_.kernel->literals != head_.kernel->literals) return differ("the constants that the compiler made differ");
    return true;
  }

  bool differ(std::string reason) {
    if (result_.reason.empty()) result_.reason = std::move(reason);
    return false;
  }

  void begin() {
    result_ = {};
    names_ = Renaming();
    variables_.clear();
    variables_back_.clear();
    jumps_.clear();
    keeps_names_ = keeps_uniform_ = false;
    renamed_constant_ = false;
    names_.pair(Name::kRegister, 1, 1);  // the stack pointer
  }

  SassMatch match_in_order(size_t length) {
    begin();
    in_order_ = true;
    for (size_t i = 0; i < length; ++i)
      if (!match_instruction(i, i)) return differing_at(i, i);
    return finish(SassRelation::kSame);
  }

  /// Follows both sides from their first instructions; jumps that are always taken are steps of their own on neither.
  SassMatch match_as_graph() {
    begin();
    in_order_ = false;
    std::map<size_t, size_t> there, back;
    std::deque<std::pair<size_t, size_t>> open{{0, 0}};
    while (!open.empty()) {
      const size_t b = behind_jumps(*base_.code, open.front().first);
      const size_t h = behind_jumps(*head_.code, open.front().second);
      open.pop_front();
      if (b >= base_.code->size() || h >= head_.code->size()) return differing_at(0, 0);
      const auto [to, is_new] = there.emplace(b, h);
      const auto [from, is_new_back] = back.emplace(h, b);
      if (to->second != h || from->second != b) return differing_at(b, h);
      if (!is_new) continue;
      if (!match_instruction(b, h)) return differing_at(b, h);
      const SassFlow base = flow_of((*base_.code)[b]), head = flow_of((*head_.code)[h]);
      if (base.kind != head.kind || base.kind == SassFlow::Kind::kUnknown) return differing_at(b, h);
      if (base.kind == SassFlow::Kind::kEnd) continue;
      std::pair<size_t, size_t> target{base.target / kSassBytes, head.target / kSassBytes};
      std::pair<size_t, size_t> next{b + 1, h + 1};
      if (base.kind == SassFlow::Kind::kJump) {
        open.push_back(target);
        continue;
      }
      if (negated_) std::swap(target.second, next.second);
      if (base.kind != SassFlow::Kind::kNone) open.push_back(target);
      open.push_back(next);
    }
    if (!is_all(*base_.code, there) || !is_all(*head_.code, back) || jumps_.size() > 1) return differing_at(0, 0);
    return finish(SassRelation::kMoved);
  }

  /// Whether all that was not reached is jumps and padding.
  static bool is_all(const SassCode& code, const std::map<size_t, size_t>& reached) {
    for (size_t i = 0; i < length_without_padding(code); ++i)
      if (!reached.contains(i) && flow_of(code[i]).kind != SassFlow::Kind::kJump && code[i].opcode != "NOP")
        return false;
    return true;
  }

  size_t behind_jumps(const SassCode& code, size_t at) {
    std::set<size_t> seen;
    while (at < code.size() && seen.insert(at).second) {
      const SassFlow flow = flow_of(code[at]);
      if (flow.kind != SassFlow::Kind::kJump) return at;
      auto bits = without_target(code[at], at, flow.target);
      clear(bits.first, kScheduleBegin, kScheduleEnd);
      jumps_.insert(bits);
      at = flow.target / kSassBytes;
    }
    return at;
  }

  SassMatch finish(SassRelation relation) {
    if (!same_references()) return result_;
    if ((keeps_names_ && names_.renamed()) || (keeps_uniform_ && names_.renamed(Name::kUniform))) {
      differ(keeps_names_ ? "registers are renamed, and which ones its calls or tensor instructions take is not known"
                          : "uniform registers are renamed, and which ones describe its memory is not known");
      return result_;
    }
    result_.renamed = names_.renamed() || renamed_constant_;
    result_.relation = result_.rescheduled > 0 ? SassRelation::kRescheduled : relation;
    if (result_.rescheduled > 0)
      result_.reason =
          fmt::format("the same instructions; {} {} other stall cycles, barriers or reuse of registers",
                      counted(result_.rescheduled, "instruction"), result_.rescheduled == 1 ? "has" : "have");
    return result_;
  }

  SassMatch differing_at(size_t base, size_t head) {
    result_.relation = SassRelation::kDiffers;
    result_.base_at = base, result_.head_at = head;
    if (result_.reason.empty())
      result_.reason = fmt::format("`{}` became `{}`", (*base_.code)[base].text(), (*head_.code)[head].text());
    return result_;
  }

  /// What the linker fills in: names by place. In moved code places differ, and the text has the names.
  bool same_references() {
    const auto& base = base_.kernel->references;
    const auto& head = head_.kernel->references;
    if (!in_order_ && !(base.empty() && head.empty())) return differ("moved code with names in it is not compared");
    if (base.size() != head.size()) return differ("the code refers to other names");
    for (size_t i = 0; i < base.size(); ++i) {
      if (base[i].offset != head[i].offset || base[i].type != head[i].type || base[i].addend != head[i].addend)
        return differ("the code refers to names at other places");
      if (!same_target(base[i].symbol, head[i].symbol)) return false;
    }
    return true;
  }

  /// The same function (which is compared as well) or variable, or the function itself; of what another object defines,
  /// the same name.
  bool same_target(const std::string& base, const std::string& head) {
    if (base == stable_symbol(base_.kernel->name) && head == stable_symbol(head_.kernel->name)) return true;
    const bool in_base = has_function(*base_.cubin, base), in_head = has_function(*head_.cubin, head);
    if (!in_base && !in_head) return same_variable(base, head);
    if (!in_base || !in_head || base != head) return differ(fmt::format("`{}` became `{}`", base, head));
    keeps_names_ = true;  // what the callee takes and leaves alone
    result_.callees.emplace_back(base, head);
    return true;
  }

  static bool has_function(const Cubin& cubin, const std::string& name) {
    return std::any_of(cubin.functions.begin(), cubin.functions.end(),
                       [&](const KernelCode& one) { return stable_symbol(one.name) == name; });
  }

  /// Sizes and first contents of all variables of that name.
  static std::vector<std::pair<uint64_t, std::string>> variables_named(const Cubin& cubin, const std::string& name) {
    std::vector<std::pair<uint64_t, std::string>> found;
    for (const auto* list : {&cubin.constants, &cubin.globals})
      for (const CubinVariable& one : *list)
        if (one.name == name) found.emplace_back(one.size, one.content);
    return found;
  }

  /// One variable, under another name only where each side has its own name alone.
  bool same_variable(const std::string& base, const std::string& head) {
    const auto of_base = variables_named(*base_.cubin, base), of_head = variables_named(*head_.cubin, head);
    const bool is_renamed = base != head && !of_base.empty() && variables_named(*head_.cubin, base).empty() &&
                            variables_named(*base_.cubin, head).empty();
    const auto [to, is_new] = variables_.emplace(base, head);
    const auto [from, is_new_back] = variables_back_.emplace(head, base);
    if ((base != head && !is_renamed) || to->second != head || from->second != base)
      return differ(fmt::format("`{}` became `{}`", base, head));
    if (of_base.empty() && of_head.empty()) keeps_names_ = true;  // it may be a function
    if (of_base != of_head) return differ(fmt::format("`{}` has another size, or holds other values at first", head));
    return true;
  }

  bool match_instruction(size_t b, size_t h) {
    const SassInstruction& base = (*base_.code)[b];
    const SassInstruction& head = (*head_.code)[h];
    if (base.opcode != head.opcode) return false;
    const SassFlow base_flow = flow_of(base), head_flow = flow_of(head);
    const bool has_target =
        !in_order_ && (base_flow.kind == SassFlow::Kind::kBranch || base_flow.kind == SassFlow::Kind::kJump ||
                       base_flow.kind == SassFlow::Kind::kLabel);
    const auto bits = [&](const SassInstruction& one, size_t index, const SassFlow& flow) {
      return has_target ? without_target(one, index, flow.target) : std::pair(bits_of(one), DistanceForm::kNone);
    };
    const auto [base_bits, base_form] = bits(base, b, base_flow);
    const auto [head_bits, head_form] = bits(head, h, head_flow);
    if (base_form != head_form) return false;
    Bits difference{base_bits[0] ^ head_bits[0], base_bits[1] ^ head_bits[1]};
    Bits schedule = difference;
    clear(schedule, 0, kScheduleBegin);
    clear(schedule, kScheduleEnd, 128);
    if (schedule[1] != 0) ++result_.rescheduled;
    clear(difference, kScheduleBegin, kScheduleEnd);

    used_.clear();
    used_constant_.reset();
    negated_ = false;
    if (!match_predicate(base.predicate, head.predicate, is_plain_branch(base))) return false;
    const std::vector<Token> of_base = tokens_of(base), of_head = tokens_of(head);
    if (of_base.size() != of_head.size()) return false;
    if (base.opcode.starts_with("CALL") && !of_base.empty() && of_base[0].kind == Token::Kind::kName)
      result_.calls_by_address = true;
    if (hides_descriptor(base)) keeps_uniform_ = true;
    for (size_t i = 0; i < of_base.size(); ++i) {
      const bool is_target = has_target && i + 1 == of_base.size();
      if (!match_token(of_base[i], of_head[i], is_target)) return false;
    }
    return same_bits(base, head, difference);
  }

  /// Whether the text may leave out the uniform registers that describe the memory, as for sm_80.
  static bool hides_descriptor(const SassInstruction& one) {
    return has_modifier(one.opcode, "E") && one.operands.find("desc[") == std::string::npos;
  }

  /// Taken by its predicate alone.
  static bool is_plain_branch(const SassInstruction& one) {
    return one.opcode == "BRA" && one.operands.find(',') == std::string::npos;
  }

  bool match_predicate(std::string_view base, std::string_view head, bool is_branch) {
    if (base == head && base.empty()) return true;
    if (base.empty() || head.empty()) return false;
    base.remove_prefix(1), head.remove_prefix(1);
    const bool base_not = base.starts_with('!'), head_not = head.starts_with('!');
    if (base_not) base.remove_prefix(1);
    if (head_not) head.remove_prefix(1);
    if (base_not != head_not) {
      if (in_order_ || !is_branch) return false;
      negated_ = true;
    }
    const auto of_base = name_token(base), of_head = name_token(head);
    if (!of_base || !of_head) return base == head;
    return pair_names(*of_base, *of_head);
  }

  bool match_token(const Token& base, const Token& head, bool is_target) {
    if (base.kind != head.kind) return false;
    switch (base.kind) {
      case Token::Kind::kText:
        if (is_target) {  // all but the label itself
          const auto without = [](const std::string& text) { return text.substr(0, text.rfind(',') + 1); };
          return without(base.text) == without(head.text);
        }
        if (base.text == head.text) {
          if (base.text.find("PR") != std::string::npos) keeps_names_ = true;  // all predicates at once
          return true;
        }
        return same_names_in(base.text, head.text);
      case Token::Kind::kName:
        return pair_names(base, head);
      case Token::Kind::kConstant:
        return match_constant(base, head);
    }
    return false;
  }

  /// Names of functions and variables stand in operands that the linker fills in; same_references() compares those.
  bool same_names_in(const std::string& base, const std::string& head) const {
    return !base_.kernel->references.empty() &&
           without_names(base, base_.kernel->references) == without_names(head, head_.kernel->references);
  }

  static std::string without_names(std::string_view text, const std::vector<CubinReference>& references) {
    std::string result;
    while (!text.empty()) {
      size_t end = 0;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = stable_symbol(text.substr(0, std::max<size_t>(end, 1)));
      const bool is_name = std::any_of(references.begin(), references.end(),
                                       [&](const CubinReference& one) { return one.symbol == word; });
      result += is_name ? "(name)" : word;
      text.remove_prefix(std::max<size_t>(end, 1));
    }
    return result;
  }

  bool pair_names(const Token& base, const Token& head) {
    if (base.name != head.name) return false;
    if (base.number != head.number) used_.emplace_back(base.name, base.number, head.number);
    if (base.name != Name::kRegister && base.name != Name::kUniform)
      return names_.pair(base.name, base.number, head.number);
    const int span = std::min(base.span, head.span);
    if (span == 0) keeps_names_ = true;
    for (int i = 0; i < std::max({base.span, head.span, 1}); ++i)
      if (!names_.pair(base.name, base.number + i, head.number + i)) return false;
    return true;
  }

  bool match_constant(const Token& base, const Token& head) {
    if (base.bank != head.bank || base.indexed != head.indexed) return false;
    if (base.offset != head.offset) {
      used_constant_ = {base.offset, head.offset};
      renamed_constant_ = true;
    }
    switch (base.bank) {
      case 0:
        return match_parameter(base, head);
      case 3:
        return match_variable(base, head);
      case 4:
        return match_pointer(base, head);
      default:
        return base.offset == head.offset;
    }
  }

  bool match_parameter(const Token& base, const Token& head) {
    const auto end_of = [](const KernelCode& kernel) {
      uint64_t end = kernel.parameter_base;
      for (const KernelParameter& one : kernel.parameters)
        end = std::max<uint64_t>(end, uint64_t{kernel.parameter_base} + one.offset + one.size);
      return static_cast<int64_t>(end);
    };
    const int64_t base_begin = base_.kernel->parameter_base, head_begin = head_.kernel->parameter_base;
    const bool in_base = base.offset >= base_begin && base.offset < end_of(*base_.kernel);
    const bool in_head = head.offset >= head_begin && head.offset < end_of(*head_.kernel);
    if (in_base != in_head) return false;
    if (!in_base) return base.offset == head.offset;
    return base.offset - base_begin == head.offset - head_begin;
  }

  bool match_variable(const Token& base, const Token& head) {
    const CubinVariable* of_base = variable_at(*base_.cubin, base);
    const CubinVariable* of_head = variable_at(*head_.cubin, head);
    if (!of_base || !of_head)  // not within one: only where everything lies as it did
      return base.offset == head.offset && base_.cubin->constants == head_.cubin->constants;
    if (!same_variable(of_base->name, of_head->name)) return false;
    // The register may reach other variables.
    if (base.indexed && !lies_within(*base_.cubin, of_base->offset, *head_.cubin, of_head->offset) &&
        !lies_within(*head_.cubin, of_head->offset, *base_.cubin, of_base->offset))
      return differ(
          fmt::format("variables around `{}` in constant memory lie otherwise, and it is indexed", of_head->name));
    return base.offset - static_cast<int64_t>(of_base->offset) == head.offset - static_cast<int64_t>(of_head->offset);
  }

  /// Whether each variable of `one` has an equal one in `other`, as far from `there` as it is from `here`: what is in
  /// reach in `one` is then the same in `other`.
  static bool lies_within(const Cubin& one, uint64_t here, const Cubin& other, uint64_t there) {
    return std::all_of(one.constants.begin(), one.constants.end(), [&](const CubinVariable& variable) {
      return std::any_of(other.constants.begin(), other.constants.end(), [&](const CubinVariable& candidate) {
        return candidate.offset - there == variable.offset - here && candidate.size == variable.size &&
               candidate.content == variable.content;
      });
    });
  }

  static const CubinVariable* variable_at(const Cubin& cubin, const Token& constant) {
    for (const CubinVariable& one : cubin.constants) {
      const int64_t begin = static_cast<int64_t>(one.offset), end = begin + static_cast<int64_t>(one.size);
      if (constant.offset >= begin && constant.offset < end)
        return constant.indexed || constant.offset + constant.bytes <= end ? &one : nullptr;
    }
    return nullptr;
  }

  bool match_pointer(const Token& base, const Token& head) {
    const auto of = [](const Cubin& cubin, int64_t offset) -> const CubinReference* {
      auto behind = cubin.pointers.upper_bound(static_cast<uint64_t>(offset));
      return behind == cubin.pointers.begin() ? nullptr : &std::prev(behind)->second;
    };
    const CubinReference* of_base = of(*base_.cubin, base.offset);
    const CubinReference* of_head = of(*head_.cubin, head.offset);
    if (!of_base || !of_head || base.indexed)
      return base.offset == head.offset && base_.cubin->pointers == head_.cubin->pointers;
    const int64_t base_in = base.offset - static_cast<int64_t>(of_base->offset);
    const int64_t head_in = head.offset - static_cast<int64_t>(of_head->offset);
    return base_in == head_in && of_base->type == of_head->type && of_base->addend == of_head->addend &&
           same_target(of_base->symbol, of_head->symbol);
  }

  /// What the text may hide: every other bit is equal.
  bool same_bits(const SassInstruction& base, const SassInstruction& head, Bits difference) {
    const Bits of_base = bits_of(base), of_head = bits_of(head);
    const bool shows_less = base.operands.find("NAN") != std::string::npos;  // which one is in the immediate value
    for (const auto& [name, from, to] : used_) {
      const auto forgive = [&, from = static_cast<uint64_t>(from), to = static_cast<uint64_t>(to)](int at, int bits) {
        if (field(of_base, at, bits) == from && field(of_head, at, bits) == to) clear(difference, at, at + bits);
      };
      if (name == Name::kRegister || name == Name::kUniform) {
        for (const int at : kRegisterFields)
          if (at != kImmediateField || !shows_less) forgive(at, name == Name::kUniform ? kUniformBits : kRegisterBits);
      } else if (name == Name::kBarrier)
        forgive(kBarrierField, kBarrierBits);
      else
        for (const int at : kPredicateFields) forgive(at, kPredicateBits);
    }
    if (used_constant_)
      for (const auto& [at, bits] : kConstantFields) {
        const uint64_t most = (uint64_t{1} << bits) - 1;
        if (field(of_base, at, bits) == (static_cast<uint64_t>(used_constant_->first) & most) &&
            field(of_head, at, bits) == (static_cast<uint64_t>(used_constant_->second) & most))
          clear(difference, at, at + bits);
      }
    if (negated_) clear(difference, kGuardNotBit, kGuardNotBit + 1);
    if (difference[0] == 0 && difference[1] == 0) return true;
    return differ(fmt::format("`{}` is encoded otherwise, in bits that the disassembly does not show", base.text()));
  }

  SassSide base_, head_;
  SassMatch result_;
  Renaming names_;
  std::map<std::string, std::string> variables_, variables_back_;
  std::set<std::pair<Bits, DistanceForm>>
      jumps_;  ///< that are always taken, without their targets: there is one kind of them
  bool in_order_ = true;
  bool keeps_names_ = false;    ///< no register may be renamed
  bool keeps_uniform_ = false;  ///< no uniform register
  bool negated_ = false;        ///< a branch with the opposite predicate
  bool renamed_constant_ = false;
  std::vector<std::tuple<Name, int, int>> used_;  ///< by the instruction at hand
  std::optional<std::pair<int64_t, int64_t>> used_constant_;
};

}  // namespace

SassMatch match_sass(const SassSide& base, const SassSide& head) { return Matcher(base, head).match(); }

}  // namespace icount
