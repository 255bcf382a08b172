#include "support/random_code.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "icount/base/file.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

CodedProfile read_with(std::string_view text, double part) {
  ParseOptions options;
  options.keep_lines = true;
  CodedProfile read{make_cost_graph(parse_profile(text, "p", options)), {}};
  std::vector<FunctionIndex> functions = costly_functions(read.graph, part);
  read.code = read_code(text, "p", read.graph, functions);
  read.graph.code = std::make_shared<const ProfileCode>(read.code);
  return read;
}

enum class End { kFall, kBranch, kJump, kReturn };

struct Block {
  int instructions = 1;
  End end = End::kFall;
  int target = 0;
  int callee = 0;  // 0: none, 1: g, 2: h
  double bias = 0;
  int64_t executions = 0, taken = 0;
  uint64_t address = 0;

  uint64_t last() const { return address + 4 * static_cast<uint64_t>(instructions - 1); }
};

std::vector<Block> random_blocks(const RandomCode& how) {
  std::mt19937_64 random(how.code_seed);
  const auto number = [&](int below) { return std::uniform_int_distribution<>(0, below - 1)(random); };
  std::vector<Block> blocks(static_cast<size_t>(how.blocks));
  uint64_t address = 0x1000;
  for (Block& block : blocks) {
    block.instructions = 1 + number(5);
    const int kind = number(10);
    block.end = kind < 6 ? End::kBranch : kind < 7 ? End::kJump : kind < 8 ? End::kReturn : End::kFall;
    block.target = number(how.blocks);
    block.callee = number(4) == 0 ? 1 + number(2) : 0;
    block.bias = 0.2 * (number(5) - 2);
    block.address = address;
    address += 4 * static_cast<uint64_t>(block.instructions) + (number(6) == 0 ? 64 : 0) * (block.end == End::kReturn);
  }
  blocks.back().end = End::kReturn;
  return blocks;
}

/// How many calls of main were made before one ended like exit().
int walk(std::vector<Block>& blocks, const RandomCode& how) {
  std::mt19937_64 random(how.walk_seed);
  for (int call = 1; call <= how.entries; ++call) {
    int steps = 0;
    for (size_t at = 0;;) {
      Block& block = blocks[at];
      ++block.executions;
      if (block.end == End::kReturn) break;
      if (++steps > how.most_steps) return call;
      const bool taken =
          block.end == End::kJump ||
          (block.end == End::kBranch && std::uniform_real_distribution<>(0, 1)(random) < how.taken + block.bias);
      block.taken += taken;
      at = taken ? static_cast<size_t>(block.target) : at + 1;
    }
  }
  return how.entries;
}

}  // namespace

CodedProfile read_coded(const std::string& text) { return read_with(text, 0); }

CodedProfile load_coded(const std::string& path) { return read_with(load_file(path).view(), 0.001); }

std::string random_profile(const RandomCode& how) {
  std::vector<Block> blocks = random_blocks(how);
  const int entries = walk(blocks, how);
  const std::vector<int> cost_of = {0, 7, 30};
  std::string text = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\n";
  int64_t total = 5, of_f = 0;
  std::vector<int64_t> calls(3, 0);
  for (const Block& block : blocks) {
    of_f += block.executions * block.instructions;
    calls[static_cast<size_t>(block.callee)] += block.callee ? block.executions : 0;
  }
  const int64_t below = of_f + calls[1] * cost_of[1] + calls[2] * cost_of[2];
  total += below;
  text += fmt::format("fn=main\n0x100 1 5\ncfn=f\ncalls={} {:#x} 10\n0x100 1 {}\n\nfn=f\n", entries, blocks[0].address,
                      below);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    if (block.executions == 0) continue;
    const int line = how.first_line + static_cast<int>(b);
    for (int i = 0; i < block.instructions; ++i)
      text += fmt::format("{:#x} {} {}\n", block.address + 4 * static_cast<uint64_t>(i), line, block.executions);
    if (block.callee)  // the first instruction calls, so that the last one may jump
      text += fmt::format("cfn={}\ncalls={} {:#x} 90\n{:#x} {} {}\n", block.callee == 1 ? "g" : "h", block.executions,
                          block.callee == 1 ? 0x9000 : 0x9100, block.address, line,
                          block.executions * cost_of[static_cast<size_t>(block.callee)]);
    if (block.taken > 0)
      text += fmt::format("{}={}{} {:#x} {}\n{:#x} {}\n", block.end == End::kJump ? "jump" : "jcnd", block.taken,
                          block.end == End::kJump ? "" : fmt::format("/{}", block.executions),
                          blocks[static_cast<size_t>(block.target)].address, how.first_line + block.target,
                          block.last(), line);
  }
  for (const int callee : {1, 2})
    if (calls[static_cast<size_t>(callee)] > 0)
      text += fmt::format("\nfn={}\n{:#x} 90 {}\n", callee == 1 ? "g" : "h", callee == 1 ? 0x9000 : 0x9100,
                          calls[static_cast<size_t>(callee)] * cost_of[static_cast<size_t>(callee)]);
  return text + fmt::format("\ntotals: {}\n", total);
}

}  // namespace icount
