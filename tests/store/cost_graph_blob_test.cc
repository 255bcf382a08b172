#include "icount/store/cost_graph_blob.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/callgraph/function_code.h"
#include "icount/store/byte_stream.h"
#include "support/error_of.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// What a graph says, free of indices and orders.
std::map<std::string, std::vector<int64_t>> facts(const CostGraph& g) {
  std::map<std::string, std::vector<int64_t>> out;
  const size_t n = g.event_count();
  const auto name = [&](FunctionIndex f) {
    return std::string(g.object(f)) + "|" + std::string(g.file(f)) + "|" + std::string(g.name(f));
  };
  const auto costs = [n](const std::vector<int64_t>& table, size_t i) {
    return std::vector<int64_t>(table.begin() + static_cast<std::ptrdiff_t>(i * n),
                                table.begin() + static_cast<std::ptrdiff_t>(i * n + n));
  };
  for (FunctionIndex f = 0; f < g.functions.size(); ++f) out["self " + name(f)] = costs(g.self, f);
  for (size_t e = 0; e < g.edges.size(); ++e) {
    auto& fact = out["edge " + name(g.edges[e].caller) + ">" + name(g.edges[e].callee)] = costs(g.inclusive, e);
    fact.push_back(g.edges[e].calls);
  }
  for (size_t r = 0; r < g.rows.size(); ++r)
    out["row " + name(g.rows[r].function) + "@" + std::string(g.strings.view(g.rows[r].file))] = costs(g.row_self, r);
  for (size_t l = 0; l < g.lines.size(); ++l)
    out["line " + name(g.lines[l].function) + "@" + std::string(g.strings.view(g.lines[l].file)) + ":" +
        std::to_string(g.lines[l].line)] = costs(g.line_self, l);
  out["totals"] = g.totals;
  return out;
}

CostGraph graph_with_lines() {
  CostGraph graph = small_graph();
  const StringId file = graph.strings.intern("lexer.cc");
  graph.lines = {{0, file, 7}, {1, file, uint64_t{1} << 63}, {2, file, 0}};
  graph.line_self = {100, 10, 300, 30, 600, 60};
  return graph;
}

/// The same graph with every table in another order and further strings in the pool.
CostGraph shuffled(const CostGraph& g) {
  CostGraph out;
  out.events = g.events;
  out.totals = g.totals;
  out.strings.intern("not used by anything");
  const auto s = [&](StringId id) { return out.strings.intern(g.strings.view(id)); };
  const size_t n = g.event_count(), last = g.functions.size() - 1;
  const auto copy = [n](std::vector<int64_t>& to, const std::vector<int64_t>& from, size_t i) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i * n),
              from.begin() + static_cast<std::ptrdiff_t>(i * n + n));
  };
  const auto f = [last](FunctionIndex i) { return static_cast<FunctionIndex>(last - i); };
  for (size_t i = g.functions.size(); i-- > 0;) {
    out.functions.push_back({s(g.functions[i].name), s(g.functions[i].file), s(g.functions[i].object)});
    copy(out.self, g.self, i);
  }
  for (size_t i = g.edges.size(); i-- > 0;) {
    out.edges.push_back({f(g.edges[i].caller), f(g.edges[i].callee), g.edges[i].calls});
    copy(out.inclusive, g.inclusive, i);
  }
  for (size_t i = g.rows.size(); i-- > 0;) {
    out.rows.push_back({f(g.rows[i].function), s(g.rows[i].file)});
    copy(out.row_self, g.row_self, i);
  }
  for (size_t i = g.lines.size(); i-- > 0;) {
    out.lines.push_back({f(g.lines[i].function), s(g.lines[i].file), g.lines[i].line});
    copy(out.line_self, g.line_self, i);
  }
  return out;
}

TEST(CostGraphBlobTest, EverythingComesBack) {
  CostGraph graph = graph_with_lines();
  graph.parts = 3;
  graph.call_counts = {false, "calls were counted outside the region"};
  const CostGraph back = decode_cost_graph(encode_cost_graph(graph), "blob");
  EXPECT_EQ(facts(back), facts(graph));
  EXPECT_EQ(back.events, graph.events);
  EXPECT_EQ(back.parts, 3);
  EXPECT_FALSE(back.call_counts.trusted);
  EXPECT_EQ(back.call_counts.reason, graph.call_counts.reason);
}

/// Code of functions 1 and 0 that calls and jumps to and fro, and to a function that the graph does not have.
std::shared_ptr<const ProfileCode> some_code(size_t events) {
  auto code = std::make_shared<ProfileCode>();
  code->events = events;
  code->files = {"a.cc", "b.h"};
  for (const FunctionIndex f : {0u, 1u}) {
    FunctionCode& one = code->functions.emplace_back();
    one.function = f;
    one.rows = {{0x1000, 1, 7, 3}, {0xffffffffffff0000, 0, 0, 1'000'000'007}};
    one.self.assign(2 * events, 5);
    one.jumps = {{0x1000, 1 - f, 0x2000, 2}, {0x1000, kUnknownFunction, 0x10, 1}};
    one.calls = {{0x1000, 1 - f, 0x3000, 4}};
    one.entries = {{0x1000, 1 - f, true, 2}, {0x1000, kUnknownFunction, false, 9}};
    add_up_places(one, events);
  }
  return code;
}

TEST(CostGraphBlobTest, WhatHappensInsideFunctionsComesBack) {
  CostGraph graph = graph_with_lines();
  graph.code = some_code(graph.event_count());
  const std::string blob = encode_cost_graph(graph);
  const CostGraph back = decode_cost_graph(blob, "blob");
  ASSERT_TRUE(back.code);
  EXPECT_EQ(encode_cost_graph(back), blob);
  EXPECT_EQ(back.code->events, graph.event_count());
  EXPECT_EQ(back.code->files, graph.code->files);
  ASSERT_EQ(back.code->functions.size(), 2u);
  for (const FunctionCode& one : graph.code->functions) {
    FunctionIndex there = 0;
    while (back.name(there) != graph.name(one.function)) ++there;
    const FunctionCode* const found = find_code(*back.code, there);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->self, one.self);
    ASSERT_EQ(found->rows.size(), 2u);
    EXPECT_EQ(found->rows[1].address, 0xffffffffffff0000);
    EXPECT_EQ(found->rows[1].executions, 1'000'000'007);
    EXPECT_EQ(found->rows[0].line, 7u);
    ASSERT_EQ(found->jumps.size(), 2u);
    EXPECT_EQ(back.name(found->calls.at(0).callee), graph.name(one.calls[0].callee));
    EXPECT_EQ(found->entries.size(), 2u);
    EXPECT_EQ(found->entries.back().from_function, kUnknownFunction);
  }
}

/// As object files named it when it was counted.
std::shared_ptr<const ProfileCode> some_named_code(size_t events) {
  auto code = std::make_shared<ProfileCode>(*some_code(events));
  code->objects = {{"/bin/x", "/bin/x", "ab12", 0x108000, "GNU C17 12.2.0 -O2", true},
                   {"stub", "/tmp/x", "", 0, "", false}};
  code->inlined = {{"outer(int)", 1, 4, 9, 0}, {"inner", 0, 7, 5, 1}};
  code->functions[0].rows[0].inlined = 2;
  code->functions[1].rows[1].inlined = 1;
  return code;
}

TEST(CostGraphBlobTest, NamesOfInlinedFunctionsComeBack) {
  CostGraph graph = graph_with_lines();
  graph.code = some_named_code(graph.event_count());
  const std::string blob = encode_cost_graph(graph);
  const CostGraph back = decode_cost_graph(blob, "blob");
  EXPECT_EQ(encode_cost_graph(back), blob);
  ASSERT_TRUE(back.code);
  ASSERT_EQ(back.code->objects.size(), 2u);
  EXPECT_EQ(back.code->objects[0].identity, "ab12");
  EXPECT_EQ(back.code->objects[0].load_bias, 0x108000u);
  EXPECT_EQ(back.code->objects[0].producer, "GNU C17 12.2.0 -O2");
  EXPECT_TRUE(back.code->objects[0].has_names);
  ASSERT_EQ(back.code->inlined.size(), 2u);
  EXPECT_EQ(back.code->inlined[1].name, "inner");
  EXPECT_EQ(back.code->inlined[1].outer, 1u);
  EXPECT_EQ(back.code->inlined[0].call_line, 9u);
  for (const FunctionCode& one : graph.code->functions) {
    FunctionIndex there = 0;
    while (back.name(there) != graph.name(one.function)) ++there;
    EXPECT_EQ(find_code(*back.code, there)->rows[0].inlined, one.rows[0].inlined);
    EXPECT_EQ(find_code(*back.code, there)->rows[1].inlined, one.rows[1].inlined);
  }
}

TEST(CostGraphBlobTest, DamagedNamesAreRefusedOrRead) {
  CostGraph graph = graph_with_lines();
  graph.code = some_code(graph.event_count());
  const size_t without = cost_graph_bytes(graph).size();
  graph.code = some_named_code(graph.event_count());
  const std::string bytes = cost_graph_bytes(graph);
  EXPECT_NO_THROW(parse_cost_graph_bytes(std::string_view(bytes).substr(0, without), "as earlier versions wrote it"));
  for (size_t cut = without + 1; cut < bytes.size(); ++cut)
    EXPECT_THROW(parse_cost_graph_bytes(std::string_view(bytes).substr(0, cut), "cut"), Error) << cut;
  for (size_t at = without; at < bytes.size(); ++at)
    for (const int change : {0x5a, 0xff, 1}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      try {
        const CostGraph read = parse_cost_graph_bytes(damaged, "damaged");
        for (const FunctionCode& one : read.code->functions)
          for (const CodeRow& row : one.rows) ASSERT_LE(row.inlined, read.code->inlined.size());
      } catch (const Error&) {
      }
    }
}

TEST(CostGraphBlobTest, DamagedInsidesAreRefusedOrRead) {
  CostGraph graph = graph_with_lines();
  const size_t without = cost_graph_bytes(graph).size();
  graph.code = some_code(graph.event_count());
  const std::string bytes = cost_graph_bytes(graph);
  for (size_t cut = without + 1; cut < bytes.size(); ++cut)
    EXPECT_THROW(parse_cost_graph_bytes(std::string_view(bytes).substr(0, cut), "cut"), Error) << cut;
  for (size_t at = without; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    try {
      parse_cost_graph_bytes(damaged, "damaged");
    } catch (const Error&) {
    }
  }
}

TEST(CostGraphBlobTest, EqualGraphsGiveEqualBytesInAnyOrder) {
  const CostGraph graph = graph_with_lines();
  EXPECT_EQ(encode_cost_graph(shuffled(graph)), encode_cost_graph(graph));
  EXPECT_EQ(cost_graph_bytes(shuffled(graph)), cost_graph_bytes(graph));
  CostGraph other = graph_with_lines();
  other.edges[1].calls = 601;
  EXPECT_NE(cost_graph_bytes(other), cost_graph_bytes(graph));
}

TEST(CostGraphBlobTest, ExtremeNumbersSurvive) {
  CostGraph graph = small_graph();
  graph.edges[0].calls = INT64_MAX;
  graph.inclusive[0] = INT64_MIN;
  EXPECT_EQ(facts(decode_cost_graph(encode_cost_graph(graph), "blob")), facts(graph));
}

TEST(CostGraphBlobTest, FewBytesThatHoldManyNamesAreRefused) {
  ByteWriter out;
  out.put_unsigned(3);
  const std::vector<std::pair<uint64_t, std::string>> names = {{0, std::string(1000, 'a')}, {999, "b"}, {999, "c"}};
  for (const auto& [shared, rest] : names) {
    out.put_unsigned(shared);
    out.put_text(rest);
  }
  const std::string bytes = out.take();
  StringPool pool, again;
  ByteReader in(bytes, "x");
  EXPECT_EQ(take_strings(in, pool, 3000), 4u);
  ByteReader in_again(bytes, "x");
  EXPECT_EQ(error_of([&] { take_strings(in_again, again, 2999); }), "x: its names unpack to too many bytes");
}

TEST(CostGraphBlobTest, DamageIsAnErrorNeverACrash) {
  const std::string plain = decompress(encode_cost_graph(graph_with_lines()), "blob");
  size_t refused = 0;
  for (size_t at = 0; at < plain.size(); ++at) {
    EXPECT_THROW(decode_cost_graph(compress_zstd(plain.substr(0, at)), "blob"), Error) << at;
    for (const unsigned char bit : {0x01, 0x80}) {
      std::string damaged = plain;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      try {
        check_cost_graph(decode_cost_graph(compress_zstd(damaged), "blob"));  // a changed name or count may pass
      } catch (const Error& error) {
        EXPECT_TRUE(std::string_view(error.what()).starts_with("blob: ")) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, plain.size() / 3);
  EXPECT_THROW(decode_cost_graph("", "blob"), Error);
  EXPECT_THROW(decode_cost_graph("plain text", "blob"), Error);
}

}  // namespace
}  // namespace icount
