// How good the explanations are, for scripts/bench explain: runs `icount diff --format json` over every pair with a
// known cause (of ICOUNT_PAIRS, else the tree's), both ways round, and prints one line per pair and the totals; with a
// second binary those of both, and what differs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "support/known_cause.h"

namespace {

using namespace icount;

using Places = std::map<std::string, size_t>;  // of the right cause, by pair

struct Totals {
  size_t pairs = 0, right = 0, among_three = 0, exact = 0, antisymmetric = 0;
  size_t edges_not_printed = 0;
  std::vector<double> edge_errors, both_sides_errors, gross;
};

/// Of a sorted list; 0 for an empty one.
double median(const std::vector<double>& sorted) {
  if (sorted.empty()) return 0;
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::string_view describe_place(size_t place) {
  static constexpr std::string_view texts[] = {"no", "right", "second", "third"};
  return texts[place];
}

void add(Totals& totals, const Judgement& judgement, bool antisymmetric) {
  ++totals.pairs;
  totals.right += judgement.place == 1;
  totals.among_three += judgement.place != 0;
  totals.exact += judgement.sum_exact;
  totals.antisymmetric += antisymmetric;
  totals.edges_not_printed += judgement.edges_not_printed;
  totals.edge_errors.insert(totals.edge_errors.end(), judgement.edge_errors.begin(), judgement.edge_errors.end());
  if (judgement.both_sides_error) totals.both_sides_errors.push_back(*judgement.both_sides_error);
  if (judgement.gross > 0) totals.gross.push_back(judgement.gross);
}

void print_pair(const KnownCause& known, const Judgement& judgement, bool antisymmetric) {
  std::string edges;
  for (const double error : judgement.edge_errors) edges += fmt::format(" {:.1f}", 100 * error);
  fmt::print("{:42} {:7} {:6.2f} {:>16} {}{}{}\n", known.name, describe_place(judgement.place), judgement.gross,
             edges.empty() ? "-" : edges, judgement.first.substr(0, 150), judgement.sum_exact ? "" : "  SUM NOT EXACT",
             antisymmetric ? "" : "  NOT ANTISYMMETRIC");
}

/// "1.2 % in the median, beyond 20 % 3 of 30"
std::string describe_errors(std::vector<double> errors) {
  if (errors.empty()) return "none";
  std::sort(errors.begin(), errors.end());
  const auto beyond = std::count_if(errors.begin(), errors.end(), [](double error) { return error > 0.2; });
  return fmt::format("{:.1f} % in the median, beyond 20 % {} of {}", 100 * median(errors), beyond, errors.size());
}

void print_totals(std::string_view title, Totals totals) {
  std::sort(totals.gross.begin(), totals.gross.end());
  fmt::print(
      "{:18} right {} of {}, among the first three {}; edges of one side {} ({} not printed); edges of both sides {}; "
      "gross {:.2f} in the median, {:.2f} at worst; sums exact {}, antisymmetric {}\n",
      title, totals.right, totals.pairs, totals.among_three, describe_errors(totals.edge_errors),
      totals.edges_not_printed, describe_errors(totals.both_sides_errors), median(totals.gross),
      totals.gross.empty() ? 0 : totals.gross.back(), totals.exact, totals.antisymmetric);
}

/// Of one folder; prints its pairs.
Totals judge_folder(const std::string& icount, const std::string& folder, Places& places) {
  Totals totals;
  for (const KnownCause& known : load_known_causes(known_cause_root(), folder)) {
    const Json there = explanation_by(icount, known);
    const bool antisymmetric = is_antisymmetric(there, explanation_by(icount, known, true));
    const Judgement judgement = judge(there, known);
    print_pair(known, judgement, antisymmetric);
    places[known.name] = judgement.place;
    add(totals, judgement, antisymmetric);
  }
  return totals;
}

void merge(Totals& all, const Totals& part) {
  all.pairs += part.pairs;
  all.right += part.right;
  all.among_three += part.among_three;
  all.exact += part.exact;
  all.antisymmetric += part.antisymmetric;
  all.edges_not_printed += part.edges_not_printed;
  all.edge_errors.insert(all.edge_errors.end(), part.edge_errors.begin(), part.edge_errors.end());
  all.both_sides_errors.insert(all.both_sides_errors.end(), part.both_sides_errors.begin(),
                               part.both_sides_errors.end());
  all.gross.insert(all.gross.end(), part.gross.begin(), part.gross.end());
}

/// Pairs of other folders once more, as icount records them: a row of their own, and none of `all`.
constexpr std::string_view kRecorded = "recorded";

/// Everything about one binary: its pairs, and a line for each folder, for all profiles and for what icount recorded.
Places judge_binary(const std::string& icount) {
  const auto root = known_cause_root();
  fmt::print("{}, pairs of {}\n{:42} {:7} {:>6} {:>16} {}\n", icount, root.string(), "pair", "first", "gross",
             "edge error %", "first cause");
  Totals all;
  Places places;
  std::vector<std::pair<std::string, Totals>> folders;
  for (const std::string& folder : known_cause_folders(root)) {
    folders.emplace_back(folder, judge_folder(icount, folder, places));
    if (folder != kRecorded) merge(all, folders.back().second);
  }
  for (const auto& [folder, totals] : folders)
    if (folder != kRecorded) print_totals(folder, totals);
  print_totals("all", all);
  for (const auto& [folder, totals] : folders)
    if (folder == kRecorded) print_totals("recorded by icount", totals);
  fmt::print("judged {} pairs of {}\n", places.size(), root.string());
  return places;
}

/// The pairs that are better or worse in the second.
void print_differences(const Places& before, const Places& after) {
  for (const auto& [name, place] : after)
    if (const size_t was = before.at(name); was != place)
      fmt::print("{:6} {}: {} -> {}\n", (place == 0 || (was != 0 && was < place)) ? "worse" : "better", name,
                 describe_place(was), describe_place(place));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: explain_quality ICOUNT [OTHER_ICOUNT]\n");
    return 2;
  }
  try {
    const Places before = argc > 2 ? judge_binary(argv[2]) : Places();
    const Places after = judge_binary(argv[1]);
    if (argc > 2) print_differences(before, after);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
