#include "icount/mine/compiler_decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <variant>

#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

void add_new(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

std::string text_of(const InlineRecord& record) {
  const std::string_view done = record.inlined ? "inlined" : "not inlined";
  return record.reason.empty() ? std::string(done) : fmt::format("{} ({})", done, record.reason);
}

/// What is on record of the call; of the callee's calls by others where its caller has none, being inlined itself.
std::vector<std::string> said_of_call(const CompilerRecords& records, const std::string& caller,
                                      const std::string& callee) {
  const std::string from = record_name(caller), to = record_name(callee);
  std::vector<std::string> texts, by_others;
  for (const InlineRecord& record : records.inlining) {
    if (record.callee != to) continue;
    if (record.caller == from)
      add_new(texts, text_of(record));
    else
      add_new(by_others, fmt::format("{} in `{}`", text_of(record), record.caller));
  }
  return texts.empty() ? by_others : texts;
}

std::vector<std::string> said_of_loop(const CompilerRecords& records, const CauseLoop& loop) {
  std::vector<std::string> texts;
  for (const LoopRecord& record : records.loops)
    if (record.line >= loop.first_line && record.line <= loop.last_line &&
        base_of_path(record.file) == base_of_path(loop.file))
      add_new(texts, record.text);
  return texts;
}

/// "f" of "`f`", as facts name functions.
std::string unquoted(std::string name) {
  std::erase(name, '`');
  return name;
}

class Decisions {
 public:
  explicit Decisions(const std::array<CompilerRecords, 2>& records) : records_(records) {}

  void add(const Cause& cause) {
    if (std::holds_alternative<fact::Inlined>(cause.facts))
      add_call(cause.caller, cause.callee, cause.delta, true);
    else if (const auto* shared = std::get_if<fact::SharedInlining>(&cause.facts))
      add_call(shared->callers.empty() ? std::string() : unquoted(shared->callers.front()), unquoted(shared->callee),
               cause.delta, true);
    else if (const auto* calls = std::get_if<fact::Calls>(&cause.facts);
             calls && (calls->calls[0] == 0) != (calls->calls[1] == 0))
      add_call(cause.caller, cause.callee, cause.delta, false);
    if (cause.loop) add_loop(*cause.loop, cause.delta);
    for (const Cause& member : cause.inside) add(member);
  }

  std::vector<CompilerDecision> take() { return std::move(decisions_); }

 private:
  void add_call(const std::string& caller, const std::string& callee, int64_t delta, bool is_inlining) {
    CompilerDecision decision{caller, callee, {}, delta, {}};
    for (size_t side = 0; side < 2; ++side) decision.said[side] = said_of_call(records_[side], caller, callee);
    const bool is_known = !decision.said[0].empty() || !decision.said[1].empty();
    if (is_known ? decision.said[0] != decision.said[1] : is_inlining) add_once(std::move(decision));
  }

  void add_loop(const CauseLoop& loop, int64_t delta) {
    CompilerDecision decision;
    decision.loop = fmt::format("{}:{}", base_of_path(loop.file), loop.first_line);
    if (loop.last_line > loop.first_line) decision.loop += fmt::format("-{}", loop.last_line);
    decision.delta = delta;
    for (size_t side = 0; side < 2; ++side) decision.said[side] = said_of_loop(records_[side], loop);
    if (decision.said[0] != decision.said[1]) add_once(std::move(decision));
  }

  void add_once(CompilerDecision decision) {
    const auto is_same = [&](const CompilerDecision& one) {
      return std::tie(one.caller, one.callee, one.loop) == std::tie(decision.caller, decision.callee, decision.loop);
    };
    if (std::none_of(decisions_.begin(), decisions_.end(), is_same)) decisions_.push_back(std::move(decision));
  }

  const std::array<CompilerRecords, 2>& records_;
  std::vector<CompilerDecision> decisions_;
};

}  // namespace

std::string record_name(std::string_view name) {
  const std::string plain = plain_name(canonical_name(name.substr(0, name.find(" [with "))));
  return std::string(last_word(plain));
}

std::vector<CompilerDecision> compiler_decisions(const Explanation& explanation,
                                                 const std::array<CompilerRecords, 2>& records) {
  Decisions decisions(records);
  for (const Cause& cause : explanation.causes) decisions.add(cause);
  return decisions.take();
}

}  // namespace icount
