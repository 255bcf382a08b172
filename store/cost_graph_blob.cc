#include "icount/store/cost_graph_blob.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/store/byte_stream.h"
#include "icount/store/function_code_blob.h"
#include "icount/store/packed_tables.h"

namespace icount {
namespace {

constexpr std::string_view kMagic = "icgraph1";
constexpr int kZstdLevel = 9;
constexpr size_t kMaxPlainBytes = size_t{4} << 30;

/// Indices 0..count-1 in the order that `before` gives their entries.
template <typename Before>
std::vector<uint32_t> order_of(size_t count, Before before) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), before);
  return order;
}

/// Where each old index went.
std::vector<uint32_t> inverse(const std::vector<uint32_t>& order) {
  std::vector<uint32_t> position(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

/// The graph's strings by name instead of by first sight, and every table sorted by what its entries say.
class CanonicalOrder {
 public:
  explicit CanonicalOrder(const CostGraph& graph) : graph_(graph) {
    number_used_strings();
    functions =
        order_of(graph.functions.size(), [&](uint32_t a, uint32_t b) { return function_key(a) < function_key(b); });
    function_position = inverse(functions);
    const auto by = [&](const auto& key) { return [key](uint32_t a, uint32_t b) { return key(a) < key(b); }; };
    edges =
        order_of(graph.edges.size(), by([&](uint32_t i) {
                   return std::pair{function_position[graph.edges[i].caller], function_position[graph.edges[i].callee]};
                 }));
    rows = order_of(graph.rows.size(), by([&](uint32_t i) {
                      return std::pair{function_position[graph.rows[i].function], string_number[graph.rows[i].file]};
                    }));
    lines = order_of(graph.lines.size(), by([&](uint32_t i) {
                       const LineRow& line = graph.lines[i];
                       return std::tuple{function_position[line.function], string_number[line.file], line.line};
                     }));
  }

  std::vector<std::string_view> strings;  ///< sorted; the empty one is number 0 and always there
  std::vector<uint32_t> string_number;    ///< of a StringId
  std::vector<uint32_t> functions, function_position, edges, rows, lines;

 private:
  std::array<uint32_t, 3> function_key(uint32_t f) const {
    const Function& function = graph_.functions[f];
    return {string_number[function.object], string_number[function.file], string_number[function.name]};
  }

  void number_used_strings() {
    std::vector<bool> used(graph_.strings.size(), false);
    for (const Function& f : graph_.functions) used[f.name] = used[f.file] = used[f.object] = true;
    for (const Row& row : graph_.rows) used[row.file] = true;
    for (const LineRow& line : graph_.lines) used[line.file] = true;
    NumberedStrings numbered = number_strings(graph_.strings, std::move(used));
    strings = std::move(numbered.strings);
    string_number = std::move(numbered.number);
  }

  const CostGraph& graph_;
};

std::string canonical_bytes(const CostGraph& graph) {
  const CanonicalOrder order(graph);
  const size_t events = graph.event_count();
  const auto number = [&](StringId id) { return order.string_number[id]; };
  ByteWriter out;
  out.put_bytes(kMagic);
  out.put_unsigned(events);
  for (const std::string& event : graph.events) out.put_text(event);
  for (const int64_t total : graph.totals) out.put_signed(total);
  out.put_signed(graph.parts);
  out.put_unsigned(graph.call_counts.trusted ? 1 : 0);
  out.put_text(graph.call_counts.reason);
  put_strings(out, order.strings);

  out.put_unsigned(order.functions.size());
  put_column(out, order.functions, [&](uint32_t i) { return number(graph.functions[i].object); });
  put_column(out, order.functions, [&](uint32_t i) { return number(graph.functions[i].file); });
  put_column(out, order.functions, [&](uint32_t i) { return number(graph.functions[i].name); });
  put_costs(out, order.functions, graph.self, events);

  out.put_unsigned(order.edges.size());
  put_column(out, order.edges, [&](uint32_t i) { return order.function_position[graph.edges[i].caller]; });
  put_column(out, order.edges, [&](uint32_t i) { return order.function_position[graph.edges[i].callee]; });
  for (const uint32_t i : order.edges) out.put_signed(graph.edges[i].calls);
  put_costs(out, order.edges, graph.inclusive, events);

  out.put_unsigned(order.rows.size());
  put_column(out, order.rows, [&](uint32_t i) { return order.function_position[graph.rows[i].function]; });
  put_column(out, order.rows, [&](uint32_t i) { return number(graph.rows[i].file); });
  put_costs(out, order.rows, graph.row_self, events);

  out.put_unsigned(order.lines.size());
  put_column(out, order.lines, [&](uint32_t i) { return order.function_position[graph.lines[i].function]; });
  put_column(out, order.lines, [&](uint32_t i) { return number(graph.lines[i].file); });
  for (const uint32_t i : order.lines) out.put_unsigned(graph.lines[i].line);
  put_costs(out, order.lines, graph.line_self, events);
  if (graph.code) put_function_code(out, renumber_functions(*graph.code, order.function_position));
  return out.take();
}

/// Every entry of every table holds at least this many bytes, one per column.
size_t take_table(ByteReader& in, size_t columns) { return in.take_count(columns); }

void take_functions(ByteReader& in, CostGraph& graph, size_t strings) {
  const size_t events = graph.event_count();
  graph.functions.resize(take_table(in, 3 + events));
  const size_t count = graph.functions.size();
  take_column(in, count, strings, [&](size_t i, uint32_t id) { graph.functions[i].object = id; });
  take_column(in, count, strings, [&](size_t i, uint32_t id) { graph.functions[i].file = id; });
  take_column(in, count, strings, [&](size_t i, uint32_t id) { graph.functions[i].name = id; });
  graph.self = take_costs(in, count, events);
}

void take_edges(ByteReader& in, CostGraph& graph) {
  const size_t events = graph.event_count(), functions = graph.functions.size();
  graph.edges.resize(take_table(in, 3 + events));
  const size_t count = graph.edges.size();
  take_column(in, count, functions, [&](size_t i, uint32_t f) { graph.edges[i].caller = f; });
  take_column(in, count, functions, [&](size_t i, uint32_t f) { graph.edges[i].callee = f; });
  for (Edge& edge : graph.edges) edge.calls = in.take_signed();
  graph.inclusive = take_costs(in, count, events);
}

void take_rows(ByteReader& in, CostGraph& graph, size_t strings) {
  const size_t events = graph.event_count(), functions = graph.functions.size();
  graph.rows.resize(take_table(in, 2 + events));
  take_column(in, graph.rows.size(), functions, [&](size_t i, uint32_t f) { graph.rows[i].function = f; });
  take_column(in, graph.rows.size(), strings, [&](size_t i, uint32_t id) { graph.rows[i].file = id; });
  graph.row_self = take_costs(in, graph.rows.size(), events);
  graph.lines.resize(take_table(in, 3 + events));
  take_column(in, graph.lines.size(), functions, [&](size_t i, uint32_t f) { graph.lines[i].function = f; });
  take_column(in, graph.lines.size(), strings, [&](size_t i, uint32_t id) { graph.lines[i].file = id; });
  for (LineRow& line : graph.lines) line.line = in.take_unsigned();
  graph.line_self = take_costs(in, graph.lines.size(), events);
}

}  // namespace

std::string encode_cost_graph(const CostGraph& graph) { return compress_zstd(canonical_bytes(graph), kZstdLevel); }

std::string cost_graph_identity(const CostGraph& graph) { return content_hash(canonical_bytes(graph)); }

std::string cost_graph_bytes(const CostGraph& graph) { return canonical_bytes(graph); }

CostGraph decode_cost_graph(std::string_view blob, std::string_view name) {
  if (detect_compression(blob) != Compression::kZstd)
    throw Error(ErrorKind::kMalformed, std::string(name) + ": not a packed cost graph");
  return parse_cost_graph_bytes(decompress(blob, name, kMaxPlainBytes), name);
}

CostGraph parse_cost_graph_bytes(std::string_view bytes, std::string_view name) {
  ByteReader in(bytes, name);
  if (!bytes.starts_with(kMagic)) in.fail("not a packed cost graph of this version");
  in.take_bytes(kMagic.size());
  CostGraph graph;
  graph.events.resize(in.take_count());
  for (std::string& event : graph.events) event = in.take_text();
  graph.totals.resize(graph.events.size());
  for (int64_t& total : graph.totals) total = in.take_signed();
  graph.parts = in.take_signed();
  graph.call_counts.trusted = in.take_unsigned() != 0;
  graph.call_counts.reason = in.take_text();
  const size_t strings = take_strings(in, graph.strings);
  take_functions(in, graph, strings);
  take_edges(in, graph);
  take_rows(in, graph, strings);
  if (!in.at_end())  // in results before insides were kept, and without jumps, nothing follows
    graph.code =
        std::make_shared<const ProfileCode>(take_function_code(in, graph.functions.size(), graph.event_count()));
  if (!in.at_end()) in.fail("bytes are left over after the graph");
  in_context(name, [&] { check_cost_graph(graph); });
  return graph;
}

}  // namespace icount
