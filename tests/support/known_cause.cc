#include "support/known_cause.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/console/command_spec.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/diff_side.h"
#include "icount/report/explanation_json.h"
#include "support/golden.h"

namespace icount {
namespace {

constexpr double kTolerance = 0.1;  // of the true change

std::string text_or_empty(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() ? std::string() : name_to_judge_by(found->get<std::string>());
}

RightAnswer parse_answer(const Json& json) {
  RightAnswer answer;
  answer.function = text_or_empty(json, "function");
  answer.caller = text_or_empty(json, "caller");
  answer.callee = text_or_empty(json, "callee");
  answer.whole = json.value("whole", false);
  if (json.contains("nothing")) answer.nothing = json["nothing"].get<int64_t>();
  answer.delta = json.value("delta", int64_t{0});
  return answer;
}

/// `edges` where the pair has it, else the calls of `expected_edges` that only one side makes.
std::vector<KnownEdge> parse_edges(const Json& json, const std::string& name) {
  std::vector<KnownEdge> edges;
  if (json.contains("edges")) {
    for (const Json& edge : json["edges"])
      edges.push_back({text_or_empty(edge, "caller"), text_or_empty(edge, "callee"), edge["delta"].get<int64_t>()});
    return edges;
  }
  const auto number = [](const Json& value) { return value.is_null() ? int64_t{0} : value.get<int64_t>(); };
  for (const Json& edge : json_field(json, "expected_edges", name)) {
    if (number(edge["calls_base"]) != 0 && number(edge["calls_head"]) != 0) continue;
    edges.push_back({text_or_empty(edge, "caller"), text_or_empty(edge, "callee"),
                     number(edge["inclusive_head"]) - number(edge["inclusive_base"])});
  }
  return edges;
}

/// The first right answer, where it is a call that both sides make.
std::optional<KnownEdge> parse_both_sides(const Json& json, const std::vector<RightAnswer>& right) {
  if (right.empty() || right[0].caller.empty()) return std::nullopt;
  for (const Json& edge : json["expected_edges"]) {
    const bool both = edge["calls_base"].is_number() && edge["calls_base"] != 0 && edge["calls_head"].is_number() &&
                      edge["calls_head"] != 0;
    if (both && text_or_empty(edge, "caller") == right[0].caller && text_or_empty(edge, "callee") == right[0].callee)
      return KnownEdge{right[0].caller, right[0].callee, right[0].delta};
  }
  return std::nullopt;
}

/// `base` or `base.xz`, whichever there is.
std::filesystem::path profile_in(const std::filesystem::path& folder, const std::string& side) {
  return std::filesystem::exists(folder / side) ? folder / side : folder / (side + ".xz");
}

bool is_pair(const std::filesystem::path& folder) { return std::filesystem::exists(profile_in(folder, "base")); }

std::filesystem::path truth_of(const std::filesystem::path& pair) {
  if (const auto own = pair / "cause.json"; std::filesystem::exists(own)) return own;
  for (const auto& other : std::filesystem::directory_iterator(pair.parent_path().parent_path()))
    if (const auto truth = other.path() / pair.filename() / "cause.json"; std::filesystem::exists(truth)) return truth;
  throw Error(ErrorKind::kIo, pair.string() + ": no cause.json, here or in a pair of this name beside it");
}

KnownCause load_known_cause(const std::filesystem::path& folder) {
  const auto truth = truth_of(folder);
  const Json json = parse_json(load_file(truth).view(), truth.string());
  KnownCause known;
  known.name = folder.parent_path().filename().string() + "/" + folder.filename().string();
  known.base = profile_in(folder, "base");
  known.head = profile_in(folder, "head");
  for (const Json& answer : json_field(json, "right", truth.string())) known.right.push_back(parse_answer(answer));
  known.edges = parse_edges(json, truth.string());
  known.both_sides = parse_both_sides(json, known.right);
  return known;
}

int64_t delta_of(const Json& cause) { return cause["delta"].get<int64_t>(); }

bool is_edge(const Json& cause, std::string_view caller, std::string_view callee) {
  return text_or_empty(cause, "caller") == caller && text_or_empty(cause, "callee") == callee;
}

/// A kind that stands for the sum of many: a group, or one that came after the first eight.
bool is_headed_sum(const Json& cause) {
  static const std::set<std::string> single = {"own-cost", "calls", "entry", "inlined", "renamed", "cluster", "rest"};
  return !single.contains(cause["kind"].get<std::string>());
}

bool names_the_answer(const Json& cause, const RightAnswer& answer) {
  if (answer.whole) return is_headed_sum(cause);
  const std::string function = text_or_empty(cause, "function");
  const std::string caller = text_or_empty(cause, "caller");
  const std::string callee = text_or_empty(cause, "callee");
  if (!answer.function.empty())  // calls are told of both ends
    return function == answer.function || caller == answer.function || callee == answer.function;
  return caller == answer.caller && callee == answer.callee;
}

bool is_right(const Json& cause, const RightAnswer& answer) {
  if (answer.nothing) return false;  // said by the whole list
  const auto error = std::abs(static_cast<double>(delta_of(cause) - answer.delta));
  return names_the_answer(cause, answer) && error <= kTolerance * std::abs(static_cast<double>(answer.delta));
}

size_t place_of_right(const Json& causes, const KnownCause& known) {
  for (const RightAnswer& answer : known.right)
    if (answer.nothing)
      return std::all_of(causes.begin(), causes.end(),
                         [&](const Json& cause) { return std::abs(delta_of(cause)) <= *answer.nothing; });
  for (size_t i = 0; i < std::min<size_t>(3, causes.size()); ++i)
    for (const RightAnswer& answer : known.right)
      if (is_right(causes[i], answer)) return i + 1;
  return 0;
}

/// Whether its members are calls of one function by the same caller as it: one callee in place of another.
bool is_exchange(const Json& cause) {
  return cause.contains("inside") &&
         std::all_of(cause["inside"].begin(), cause["inside"].end(), [&](const Json& member) {
           return member["kind"] == "calls" && text_or_empty(member, "caller") == text_or_empty(cause, "caller");
         });
}

/// What the causes say about one edge, wherever it stands; nothing when they do not name it.
std::optional<int64_t> printed_change(const Json& causes, const KnownEdge& edge) {
  std::optional<int64_t> sum;
  for (const Json& cause : causes) {
    std::optional<int64_t> said;
    if (cause["kind"] == "calls" && is_edge(cause, edge.caller, edge.callee) && !is_exchange(cause))
      said = delta_of(cause);
    if (!said && cause.contains("inside")) said = printed_change(cause["inside"], edge);
    if (!said && cause["kind"] == "inlined" && is_edge(cause, edge.caller, edge.callee)) said = delta_of(cause);
    if (said) sum = sum.value_or(0) + *said;
  }
  return sum;
}

/// 1 where the causes do not name the edge.
double error_of_printed(const Json& causes, const KnownEdge& edge) {
  const auto printed = printed_change(causes, edge);
  return printed ? std::abs(static_cast<double>(*printed - edge.delta) / static_cast<double>(edge.delta)) : 1.0;
}

bool adds_up(const Json& causes, int64_t delta) {
  int64_t sum = 0;
  for (const Json& cause : causes) {
    sum += delta_of(cause);
    if (cause.contains("inside") && !adds_up(cause["inside"], delta_of(cause))) return false;
  }
  return sum == delta;
}

std::string in_few_words(const Json& cause) {
  std::string name = text_or_empty(cause, "function");
  if (cause.contains("caller")) name = text_or_empty(cause, "caller") + " -> " + text_or_empty(cause, "callee");
  return fmt::format("{} {} {:+}", cause["kind"].get<std::string>(), name, delta_of(cause));
}

/// Cuts `end` and what follows it off, where only `tail` characters follow.
bool cut_suffix(std::string& name, std::string_view start, std::string_view tail) {
  const size_t at = name.rfind(start);
  if (at == std::string::npos || at == 0) return false;
  if (name.find_first_not_of(tail, at + start.size()) != std::string::npos) return false;
  name.resize(at);
  return true;
}

}  // namespace

std::string name_to_judge_by(std::string_view name) {
  std::string plain(name);
  if (plain.starts_with("cycle of ")) {
    plain.erase(0, std::string_view("cycle of ").size());
    if (const size_t at = plain.rfind(" and "); at != std::string::npos && plain.ends_with(" more")) plain.resize(at);
  }
  constexpr std::string_view digits = "0123456789";
  constexpr std::array<std::string_view, 5> clones = {".isra.", ".constprop.", ".part.", ".lto_priv.", ".cold"};
  if (const size_t at = plain.find(" [clone "); at != std::string::npos) plain.resize(at);
  if (const size_t at = plain.find("@GLIBC"); at != std::string::npos && at > 0) plain.resize(at);
  if (plain.ends_with('@')) plain.pop_back();
  for (bool cut = true; cut;) {
    cut = cut_suffix(plain, "'", digits);
    for (const std::string_view clone : clones) cut = cut_suffix(plain, clone, digits) || cut;
  }
  if (const std::string_view routine = dispatched_routine(plain); !routine.empty()) return std::string(routine);
  return plain;
}

std::filesystem::path known_cause_root() {
  const char* root = std::getenv("ICOUNT_PAIRS");
  return root && *root ? std::filesystem::path(root) : unpacked("profiles");
}

std::vector<std::string> known_cause_folders(const std::filesystem::path& root) {
  std::vector<std::string> folders;
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    if (!folder.is_directory()) continue;
    const auto pairs = std::filesystem::directory_iterator(folder);
    if (std::any_of(begin(pairs), end(pairs), [](const auto& pair) { return is_pair(pair.path()); }))
      folders.push_back(folder.path().filename().string());
  }
  if (folders.empty()) throw Error(ErrorKind::kIo, root.string() + ": no folder of pairs in it");
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<KnownCause> load_known_causes(const std::filesystem::path& root, const std::string& folder) {
  std::vector<KnownCause> known;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder))
    if (is_pair(entry.path())) known.push_back(load_known_cause(entry.path()));
  std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return known;
}

std::set<std::string> load_right_first(const std::filesystem::path& root) {
  std::set<std::string> names;
  const auto list = root / "right_first.txt";
  if (!std::filesystem::exists(list)) return names;
  std::istringstream lines{std::string(load_file(list).view())};
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.front() != '#') names.insert(line);
  return names;
}

struct LoadedPair::Sides {
  DiffSides loaded;
};

LoadedPair::LoadedPair(const KnownCause& known) : sides_(std::make_unique<Sides>()) {
  std::ostringstream out, err;
  CommandContext context{.out = out, .err = err, .environment = Environment()};
  sides_->loaded = load_diff_sides(known.base.string(), known.head.string(), {}, context);
}

LoadedPair::~LoadedPair() = default;

Json LoadedPair::explain(bool swapped) const {
  const auto& [base, head] = sides_->loaded;
  const auto side = [](const DiffSide& read) { return ComparedSide{read.name, &read.file, &read.file.results.at(0)}; };
  const ComparedPair pair =
      swapped ? compare_results(side(head), side(base), {}) : compare_results(side(base), side(head), {});
  return explanation_to_json(pair.explanation, pair.heading);
}

Json explanation_by(const std::string& icount, const KnownCause& known, bool swapped) {
  const auto& first = swapped ? known.head : known.base;
  const auto& second = swapped ? known.base : known.head;
  ProcessSpec spec;
  spec.argv = {icount, "diff", "--format", "json", first.string(), second.string()};
  spec.max_output_bytes = size_t{1} << 28;
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok())
    throw Error(ErrorKind::kTool,
                fmt::format("{}: {}\n{}", shell_quote(spec.argv), describe_end(outcome), outcome.errors));
  return parse_json(outcome.output, "the output of " + icount);
}

Judgement judge(const Json& explanation, const KnownCause& known) {
  const Json& causes = explanation["causes"];
  Judgement judgement;
  judgement.place = place_of_right(causes, known);
  if (!causes.empty()) judgement.first = in_few_words(causes[0]);
  for (const KnownEdge& edge : known.edges) {
    judgement.edge_errors.push_back(error_of_printed(causes, edge));
    judgement.edges_not_printed += !printed_change(causes, edge);
  }
  if (known.both_sides) judgement.both_sides_error = error_of_printed(causes, *known.both_sides);
  double gross = 0;
  for (const Json& cause : causes) gross += std::abs(static_cast<double>(delta_of(cause)));
  const auto change = explanation["delta"].get<int64_t>();
  if (change != 0) judgement.gross = gross / std::abs(static_cast<double>(change));
  judgement.sum_exact = adds_up(causes, change);
  return judgement;
}

bool is_antisymmetric(const Json& there, const Json& back) {
  const Json &causes = there["causes"], &reversed = back["causes"];
  if (causes.size() != reversed.size()) return false;
  for (size_t i = 0; i < causes.size(); ++i)
    if (causes[i]["kind"] != reversed[i]["kind"] || delta_of(causes[i]) != -delta_of(reversed[i])) return false;
  return true;
}

}  // namespace icount
