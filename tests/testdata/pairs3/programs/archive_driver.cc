// A small archive: documents are indexed by their words, asked for by several, and ranked (pairs_eleventh.toml).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#ifdef INSTRUMENTED
static unsigned long entered;
extern "C" {
__attribute__((no_instrument_function, noinline)) void __cyg_profile_func_enter(void*, void*) { ++entered; }
__attribute__((no_instrument_function, noinline)) void __cyg_profile_func_exit(void*, void*) { --entered; }
}
#endif

namespace archive {

struct Posting {
  uint32_t document;
  uint32_t times;
};

using Postings = std::vector<Posting>;

class Index {
 public:
  void add(uint32_t document, std::string_view text);
#ifdef POSTINGS_COPIED
  Postings postings_of(std::string_view word) const;
#else
  const Postings& postings_of(std::string_view word) const;
#endif
  size_t words() const { return by_word_.size(); }

 private:
#if defined(KEY_MADE_EACH) || defined(TWO_CHANGES)
  std::map<std::string, Postings> by_word_;
#else
  std::map<std::string, Postings, std::less<>> by_word_;
#endif
  Postings none_;
};

__attribute__((noinline)) std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  words.reserve(16);
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && text[at] == ' ') ++at;
    const size_t start = at;
    while (at < text.size() && text[at] != ' ') ++at;
    if (at > start) words.push_back(text.substr(start, at - start));
  }
  return words;
}

__attribute__((noinline)) void Index::add(uint32_t document, std::string_view text) {
  for (const auto word : words_of(text)) {
#if defined(KEY_MADE_EACH) || defined(TWO_CHANGES)
    auto found = by_word_.find(std::string(word));
#else
    auto found = by_word_.find(word);
#endif
    if (found == by_word_.end()) found = by_word_.emplace(std::string(word), Postings{}).first;
    auto& postings = found->second;
    if (!postings.empty() && postings.back().document == document) ++postings.back().times;
    else postings.push_back({document, 1});
  }
}

#ifdef POSTINGS_COPIED
__attribute__((noinline)) Postings Index::postings_of(std::string_view word) const {
#else
__attribute__((noinline)) const Postings& Index::postings_of(std::string_view word) const {
#endif
#if defined(KEY_MADE_EACH) || defined(TWO_CHANGES)
  const auto found = by_word_.find(std::string(word));
#else
  const auto found = by_word_.find(word);
#endif
  return found == by_word_.end() ? none_ : found->second;
}

struct Hit {
  uint32_t document;
  uint32_t score;
};

__attribute__((noinline)) void keep_best(std::vector<Hit>& best, const Hit& hit, size_t most) {
  const auto better = [](const Hit& a, const Hit& b) { return a.score != b.score ? a.score > b.score : a.document < b.document; };
#ifdef BEST_RESORTED
  best.push_back(hit);
  std::sort(best.begin(), best.end(), better);
  if (best.size() > most) best.pop_back();
#else
  if (best.size() == most && !better(hit, best.back())) return;
  best.insert(std::upper_bound(best.begin(), best.end(), hit, better), hit);
  if (best.size() > most) best.pop_back();
#endif
}

// Documents that have all the words, the best first: walks the lists side by side.
__attribute__((noinline)) std::vector<Hit> asked(const Index& index, const std::vector<std::string_view>& words) {
  std::vector<Hit> best;
  if (words.empty()) return best;
  const auto& first = index.postings_of(words[0]);
  std::vector<size_t> at(words.size(), 0);
  for (const auto& posting : first) {
    uint32_t score = posting.times * 10;
    bool all = true;
    for (size_t other = 1; other < words.size() && all; ++other) {
      const auto& postings = index.postings_of(words[other]);
      while (at[other] < postings.size() && postings[at[other]].document < posting.document) ++at[other];
      all = at[other] < postings.size() && postings[at[other]].document == posting.document;
      if (all) score += postings[at[other]].times * 3;
    }
    if (all) keep_best(best, {posting.document, score + posting.document % 7}, 12);
  }
  return best;
}

__attribute__((noinline)) std::string report_of(const std::vector<Hit>& hits) {
  std::string report;
#ifndef TWO_CHANGES
  report.reserve(hits.size() * 24);
#endif
  for (const auto& hit : hits) {
    report += "document ";
    report += std::to_string(hit.document);
    report += ": ";
    report += std::to_string(hit.score);
    report += '\n';
  }
  return report;
}

__attribute__((noinline)) std::string document_of(uint32_t number) {
  static const char* const stock[] = {"ferry", "harbour", "lantern", "ledger", "of-the-northern-province", "river", "captain", "winter", "the-regulation-of-markets", "bridge", "orchard", "mill"};
  std::string text;
  uint32_t noise = number * 2654435761u + 12345u;
  for (int i = 0; i < 24; ++i) {
    noise = noise * 1103515245u + 12345u;
    text += stock[(noise >> 16) % 12];
    if ((noise >> 20) % 5 == 0) text += std::to_string((noise >> 8) % 40);
    text += ' ';
  }
  return text;
}

}  // namespace archive

int main() {
  archive::Index index;
  for (uint32_t document = 0; document < 400; ++document) index.add(document, archive::document_of(document));
  static const char* const questions[] = {"ferry harbour", "river captain winter", "of-the-northern-province ledger", "mill", "the-regulation-of-markets bridge orchard", "lantern nowhere"};
  size_t bytes = 0;
  for (int round = 0; round < 6; ++round)
    for (const char* question : questions) bytes += archive::report_of(archive::asked(index, archive::words_of(question))).size();
  std::printf("%zu words, %zu bytes\n", index.words(), bytes);
}
