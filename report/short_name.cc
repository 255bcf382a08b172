#include "icount/report/short_name.h"

#include <algorithm>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// A name on a terminal has at most so many lines, and so many characters where these are short.
constexpr size_t kLinesOfAName = 4, kLeastCut = 240;
constexpr size_t kWorthKeeping = 3;  // "..." is no shorter than what it would stand for

/// Walks over a name once and drops what lies inside the brackets that are to be collapsed.
class Collapser {
 public:
  Collapser(std::string name, Shortening shortening) : name_(std::move(name)), shortening_(shortening) {}

  /// The collapsed name; the name itself when its brackets don't match.
  std::string run() {
    for (size_t at = 0; at < name_.size();) {
      if (const size_t length = operator_length(name_, at); length > 0) {
        out_.append(name_, at, length);
        at += length;
        continue;
      }
      if (!step(at)) return name_;
      ++at;
    }
    return open_.empty() ? out_ : name_;
  }

 private:
  struct Bracket {
    char kind;
    bool collapsed;
    size_t content;  ///< where in out_ the content begins
  };

  bool step(size_t at) {
    const char c = name_[at];
    const bool arrow = c == '>' && at > 0 && name_[at - 1] == '-';
    if (c == '<' || c == '(') {
      out_ += c;
      open_.push_back({c, collapses(c), out_.size()});
      templates_ += c == '<';
    } else if ((c == '>' && !arrow) || c == ')') {
      if (open_.empty() || open_.back().kind != (c == '>' ? '<' : '(')) return false;
      close(c);
    } else {
      out_ += c;
    }
    return true;
  }

  /// Rust's "<Vec<T> as Clone>::clone" and Go's "(*T).Method" begin with what names the type.
  bool is_part_of_the_name(char kind) const {
    if (!open_.empty()) return false;
    return kind == '<' ? out_ == "<" : out_ == "(" || out_.ends_with(".(");
  }

  bool collapses(char kind) const {
    if (is_part_of_the_name(kind)) return false;
    if (kind == '<')
      return shortening_ >= Shortening::kTemplates || (shortening_ == Shortening::kInner && templates_ > 0);
    return shortening_ == Shortening::kAll && open_.empty();
  }

  void close(char c) {
    const Bracket bracket = open_.back();
    open_.pop_back();
    templates_ -= bracket.kind == '<';
    const std::string_view content = std::string_view(out_).substr(bracket.content);
    if (bracket.collapsed && content.size() > kWorthKeeping && content != "anonymous namespace") {
      out_.resize(bracket.content);
      out_ += "...";
    }
    out_ += c;
  }

  std::string name_;
  Shortening shortening_;
  std::string out_;
  std::vector<Bracket> open_;
  int templates_ = 0;
};

/// The string types as everyone writes them.
std::string with_plain_strings(std::string name) {
  constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"},
      {"std::basic_string_view<char, std::char_traits<char> >", "std::string_view"},
  };
  for (const auto& [long_form, alias] : kAliases)
    for (size_t at = 0; (at = name.find(long_form, at)) != std::string::npos; at += alias.size())
      name.replace(at, long_form.size(), alias);
  return name;
}

struct Candidate {
  std::string name;
  std::string text;
  int level = 0;
};

void fit(Candidate& candidate, size_t width) {
  candidate.text = candidate.name;
  while (display_width(candidate.text) > width && candidate.level < static_cast<int>(Shortening::kAll))
    candidate.text = shorten_name(candidate.name, static_cast<Shortening>(++candidate.level));
}

/// Takes one step of shortening back wherever several names have the same text; true when it found any.
bool separate(std::vector<Candidate>& candidates) {
  std::map<std::string_view, int> uses;
  for (const Candidate& candidate : candidates) ++uses[candidate.text];
  std::vector<Candidate*> ambiguous;
  for (Candidate& candidate : candidates)
    if (uses[candidate.text] > 1 && candidate.level > 0) ambiguous.push_back(&candidate);
  for (Candidate* candidate : ambiguous)
    candidate->text = shorten_name(candidate->name, static_cast<Shortening>(--candidate->level));
  return !ambiguous.empty();
}

/// Leaves out the middle of what is longer than `room`, but where two names would look the same.
void cut(std::vector<Candidate>& candidates, size_t room) {
  std::map<std::string, std::vector<Candidate*>> by_text;
  for (Candidate& candidate : candidates)
    if (candidate.text.size() > room) by_text[shorten_middle(candidate.text, room)].push_back(&candidate);
  for (auto& [text, alike] : by_text)
    if (alike.size() == 1) alike.front()->text = text;
}

}  // namespace

std::string shorten_name(std::string_view name, Shortening shortening) {
  if (shortening == Shortening::kFull) return std::string(name);
  return Collapser(with_plain_strings(std::string(name)), shortening).run();
}

void add_names(std::string_view sentence, std::vector<std::string>& names) {
  const auto pieces = split(sentence, '`');
  for (size_t i = 1; i < pieces.size(); i += 2) names.emplace_back(pieces[i]);
}

ShortNames::ShortNames(std::vector<std::string> names, size_t width) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Candidate> candidates;
  for (std::string& name : names) {
    candidates.push_back({std::move(name), {}, 0});
    fit(candidates.back(), width == 0 ? kPageWidth : width);
  }
  while (separate(candidates)) {
  }
  cut(candidates, width == 0 ? kLongestWhole : std::max(kLinesOfAName * width, kLeastCut));
  for (Candidate& candidate : candidates)
    if (candidate.text != candidate.name) short_[candidate.name] = std::move(candidate.text);
}

const std::string& ShortNames::of(const std::string& name) const {
  const auto found = short_.find(name);
  return found == short_.end() ? name : found->second;
}

std::string ShortNames::in_sentence(std::string_view text) const {
  const auto pieces = split(text, '`');
  std::string out;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out += '`';
    out += i % 2 == 1 ? of(std::string(pieces[i])) : std::string(pieces[i]);
  }
  return out;
}

}  // namespace icount
