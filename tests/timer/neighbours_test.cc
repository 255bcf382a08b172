// What a statement counts must not depend on the statements that share its program.
#include <gtest/gtest.h>

#include <string>

#include "icount/base/file.h"
#include "support/places.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

std::vector<TimerArgs> make_subjects(bool torch) {
  std::vector<TimerArgs> all;
  if (torch) {
    for (const char* stmt :
         {"auto y = x * w;", "x += 1.0;", "auto y = x == w;", "auto y = x.index({torch::indexing::Slice(), 1});",
          "auto y = x.clone();", "auto y = torch::empty({1});"})
      all.push_back(make_statement(stmt, "auto x = torch::ones({4, 4}); auto w = torch::ones({4, 4});", true));
    return all;
  }
  for (const char* stmt :
       {"std::string s(100, 'x'); icount::keep(s);",
        "std::map<std::string, int> m; m[\"one key\"] = 1; m[\"another, longer key of the map\"] = 2; icount::keep(m);",
        "try { if (n > 1) throw std::runtime_error(\"thrown\"); } catch (const std::exception& e) { "
        "icount::keep(e.what()); }",
        "const char* words[] = {\"alpha\", \"alphabet\", \"alphabetic order\", \"beta\", \"beta version\", \"gamma\", "
        "\"gamma rays are seen\", \"delta\", \"delta wing\"}; icount::keep(words);"
        "for (int i = 1; i < 9; ++i) { int order = strcmp(words[i - 1], words[i]); icount::keep(order); }",
        "static char from[20000], to[20000]; icount::keep(from); memcpy(to, from, sizeof to); icount::keep(to);",
        "std::ostringstream o; o << 3.25 << \" and \" << n; icount::keep(o);",
        "static const std::vector<int> table(1000, n); icount::keep(table); auto copy = table; icount::keep(copy);"})
    all.push_back(make_statement(stmt, "int n = 3; icount::keep(n);"));
  return all;
}

/// Much code, many strings, static objects with constructors and destructors.
std::vector<TimerArgs> make_neighbours(bool torch, size_t count) {
  std::vector<TimerArgs> all;
  for (size_t i = 0; i < count; ++i) {
    std::string stmt = "static std::map<int, std::string> kept;\n";
    for (size_t line = 0; line < 3 + i % 7; ++line) {
      const std::string number = std::to_string(i * 100 + line);
      stmt += "kept[" + number + "] += \"text " + number + std::string(i % 11 * 40 * line, 'x') +
              "\"; std::vector<double> v" + number + "(" + number + ", 1.5); icount::keep(v" + number + ");\n";
    }
    all.push_back(make_statement(stmt, "static char room[1001]; icount::keep(room);", torch));
  }
  return all;
}

/// Counts of the last `count` statements.
std::vector<int64_t> counts_of_last(size_t count, const std::vector<TimerArgs>& statements, CollectOptions options) {
  options.number = 20;
  options.slope = false;
  options.allow_dead = true;
  const auto counts = first_counts(collect_all(statements, options));
  return {counts.end() - static_cast<std::ptrdiff_t>(count), counts.end()};
}

void expect_same(const std::vector<int64_t>& counts, const std::vector<int64_t>& wanted,
                 const std::vector<TimerArgs>& subjects) {
  ASSERT_EQ(counts.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(counts[i], wanted[i]) << subjects[i].stmt;
}

TEST(NeighboursTest, PlainStatementsDoNotSeeThem) {
  ICOUNT_NEEDS("valgrind");
  const auto subjects = make_subjects(false);
  auto all = make_neighbours(false, 20);
  all.insert(all.end(), subjects.begin(), subjects.end());
  for (const char* compiler : {"clang++", "g++"}) {
    if (find_program(compiler).empty()) continue;
    SCOPED_TRACE(compiler);
    CollectOptions options = make_collect_options();
    options.toolchain.compiler = compiler;
    const auto wanted = counts_of_last(subjects.size(), subjects, options);
    expect_same(counts_of_last(subjects.size(), all, options), wanted, subjects);
  }
}

TEST(NeighboursTest, IsolatedStatementsCountTheSame) {
  ICOUNT_NEEDS("valgrind");
  const auto subjects = make_subjects(false);
  CollectOptions options = make_collect_options();
  const auto wanted = counts_of_last(subjects.size(), subjects, options);
  options.isolate = true;
  expect_same(counts_of_last(subjects.size(), subjects, options), wanted, subjects);
}

TEST(TorchNeighboursTest, LibTorchStatementsDoNotSeeThem) {
  ICOUNT_NEEDS("valgrind");
  const auto roots = libtorch_roots();
  if (roots.empty()) GTEST_SKIP() << "no LibTorch here";
  const auto subjects = make_subjects(true);
  // Each set-up makes a unit, and each unit has the static objects of LibTorch's headers again.
  const char* headers[] = {"<torch/script.h>", "<map>", "<torch/nn.h>", "<vector>", "<ATen/ATen.h>", "<torch/optim.h>"};
  auto all = make_neighbours(true, runs_long_tests() ? std::size(headers) : 2);
  for (size_t i = 0; i < all.size(); ++i) all[i].global_setup = std::string("#include ") + headers[i];
  all.insert(all.end(), subjects.begin(), subjects.end());
  CollectOptions options = make_collect_options();
  options.toolchain.torch_dir = roots.back();
  expect_same(counts_of_last(subjects.size(), all, options), counts_of_last(subjects.size(), subjects, options),
              subjects);
}

}  // namespace
}  // namespace icount
