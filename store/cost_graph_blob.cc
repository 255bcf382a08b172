#include "icount/store/cost_graph_blob.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/callgraph/function_code.h"
#include "icount/store/byte_stream.h"

namespace icount {
namespace {

// What happens inside functions, as the last part of a packed cost graph (store/cost_graph_blob.h).
//
// Layout: the files, each as length and bytes; then for every function its number plus one and four tables, each
// beginning with its length: rows (address, file, line, executions, self cost per event less executions), jumps (from,
// function, to, followed), calls (from, callee, to, calls), entries (to, caller times two plus one for a jump, times).
// Functions are numbers plus one, 0 for one that is not in the graph. Addresses of rows and jumps, lines and executions
// are differences to the one above. What object files said follows where there is any: objects (name, path, identity,
// compiler and options, what is added to their addresses, whether inlined functions are known), inlined functions
// (name, file, line, line of the call, number plus one of the one around it), and for every row its inlined function
// plus one, as a difference to the row above.

/// Unknown functions come after all known ones.
uint64_t number_of(FunctionIndex function) { return function == kUnknownFunction ? 0 : uint64_t{function} + 1; }

FunctionIndex take_function(ByteReader& in, size_t functions) {
  const uint64_t number = in.take_unsigned();
  if (number > functions) in.fail("an index is out of range");
  return number == 0 ? kUnknownFunction : static_cast<FunctionIndex>(number - 1);
}

int64_t take_times(ByteReader& in) {
  const int64_t times = in.take_signed();
  if (times < 0) in.fail("a negative number of times");
  return times;
}

/// Addresses as differences to the one above; both ends of a jump lie near each other.
class Addresses {
 public:
  void put(ByteWriter& out, uint64_t address) {
    out.put_signed(static_cast<int64_t>(address - above_));
    above_ = address;
  }
  uint64_t take(ByteReader& in) { return above_ += static_cast<uint64_t>(in.take_signed()); }

 private:
  uint64_t above_ = 0;
};

void put_rows(ByteWriter& out, const FunctionCode& code, size_t events) {
  out.put_unsigned(code.rows.size());
  Addresses addresses;
  int64_t line = 0, above = 0;
  for (size_t r = 0; r < code.rows.size(); ++r) {
    const CodeRow& row = code.rows[r];
    addresses.put(out, row.address);
    out.put_unsigned(row.file);
    out.put_signed(static_cast<int64_t>(row.line) - line);
    out.put_signed(row.executions - above);
    for (size_t e = 0; e < events; ++e) out.put_signed(code.self[r * events + e] - row.executions);
    line = static_cast<int64_t>(row.line);
    above = row.executions;
  }
}

int64_t add(ByteReader& in, int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) in.fail("a number is too large");
  return sum;
}

void take_rows(ByteReader& in, FunctionCode& code, size_t files, size_t events) {
  code.rows.resize(in.take_count(4 + events));
  Addresses addresses;
  int64_t line = 0, above = 0;
  for (CodeRow& row : code.rows) {
    row.address = addresses.take(in);
    const uint64_t file = in.take_unsigned();
    if (file >= files) in.fail("an index is out of range");
    row.file = static_cast<uint32_t>(file);
    line = add(in, line, in.take_signed());
    above = add(in, above, in.take_signed());
    if (line < 0 || above < 0) in.fail("a negative line or number of executions");
    row.line = static_cast<uint64_t>(line);
    row.executions = above;
    for (size_t e = 0; e < events; ++e) code.self.push_back(add(in, above, in.take_signed()));
  }
}

/// Behind the functions: what object files said. Rows of a function that follow each other mostly agree.
void put_names(ByteWriter& out, const ProfileCode& code) {
  out.put_unsigned(code.objects.size());
  for (const CodeObject& object : code.objects) {
    for (const std::string* text : {&object.name, &object.path, &object.identity, &object.producer})
      out.put_text(*text);
    out.put_signed(static_cast<int64_t>(object.load_bias));
    out.put_unsigned(object.has_names ? 1 : 0);
  }
  out.put_unsigned(code.inlined.size());
  for (const InlinedCode& one : code.inlined) {
    out.put_text(one.name);
    out.put_unsigned(one.file);
    out.put_unsigned(one.line);
    out.put_unsigned(one.call_line);
    out.put_unsigned(one.outer);
  }
  for (const FunctionCode& function : code.functions) {
    int64_t above = 0;
    for (const CodeRow& row : function.rows) {
      out.put_signed(int64_t{row.inlined} - above);
      above = row.inlined;
    }
  }
}

void take_names(ByteReader& in, ProfileCode& code) {
  code.objects.resize(in.take_count(6));
  for (CodeObject& object : code.objects) {
    for (std::string* text : {&object.name, &object.path, &object.identity, &object.producer}) *text = in.take_text();
    object.load_bias = static_cast<uint64_t>(in.take_signed());
    object.has_names = in.take_unsigned() != 0;
  }
  code.inlined.resize(in.take_count(5));
  for (size_t i = 0; i < code.inlined.size(); ++i) {
    InlinedCode& one = code.inlined[i];
    one.name = in.take_text();
    const uint64_t file = in.take_unsigned();
    one.line = in.take_unsigned();
    one.call_line = in.take_unsigned();
    const uint64_t outer = in.take_unsigned();
    if (file >= code.files.size() || outer > i) in.fail("an index is out of range");
    one.file = static_cast<uint32_t>(file);
    one.outer = static_cast<uint32_t>(outer);
  }
  for (FunctionCode& function : code.functions) {
    int64_t above = 0;
    for (CodeRow& row : function.rows) {
      above = add(in, above, in.take_signed());
      if (above < 0 || static_cast<uint64_t>(above) > code.inlined.size()) in.fail("an index is out of range");
      row.inlined = static_cast<uint32_t>(above);
    }
  }
}

/// `code` has the indices of the packed graph.
void put_function_code(ByteWriter& out, const ProfileCode& code) {
  out.put_unsigned(code.files.size());
  for (const std::string& file : code.files) out.put_text(file);
  out.put_unsigned(code.functions.size());
  for (const FunctionCode& one : code.functions) {
    out.put_unsigned(number_of(one.function));
    put_rows(out, one, code.events);
    Addresses addresses;
    out.put_unsigned(one.jumps.size());
    for (const CodeJump& jump : one.jumps) {
      addresses.put(out, jump.from);
      out.put_unsigned(number_of(jump.to_function));
      addresses.put(out, jump.to);
      out.put_signed(jump.followed);
    }
    out.put_unsigned(one.calls.size());
    for (const CodeCall& call : one.calls) {
      addresses.put(out, call.from);
      out.put_unsigned(number_of(call.callee));
      out.put_signed(static_cast<int64_t>(call.to));
      out.put_signed(call.calls);
    }
    out.put_unsigned(one.entries.size());
    for (const CodeEntry& entry : one.entries) {
      addresses.put(out, entry.to);
      out.put_unsigned(number_of(entry.from_function) * 2 + (entry.by_jump ? 1 : 0));
      out.put_signed(entry.times);
    }
  }
  if (!code.objects.empty()) put_names(out, code);
}

/// Indices are below `functions`, or kUnknownFunction where they may be. Fails for anything else, as the reader does.
ProfileCode take_function_code(ByteReader& in, size_t functions, size_t events) {
  constexpr size_t kLeastBytes = 5;
  ProfileCode code{.events = events};
  code.files.resize(in.take_count());
  for (std::string& file : code.files) file = in.take_text();
  code.functions.resize(in.take_count(kLeastBytes));
  for (FunctionCode& one : code.functions) {
    one.function = take_function(in, functions);
    if (one.function == kUnknownFunction) in.fail("an index is out of range");
    take_rows(in, one, code.files.size(), events);
    Addresses addresses;
    one.jumps.resize(in.take_count(4));
    for (CodeJump& jump : one.jumps) {
      jump.from = addresses.take(in);
      jump.to_function = take_function(in, functions);
      jump.to = addresses.take(in);
      jump.followed = take_times(in);
    }
    one.calls.resize(in.take_count(4));
    for (CodeCall& call : one.calls) {
      call.from = addresses.take(in);
      call.callee = take_function(in, functions);
      call.to = static_cast<uint64_t>(in.take_signed());
      call.calls = take_times(in);
    }
    one.entries.resize(in.take_count(3));
    for (CodeEntry& entry : one.entries) {
      entry.to = addresses.take(in);
      const uint64_t number = in.take_unsigned();
      if (number / 2 > functions) in.fail("an index is out of range");
      entry.from_function = number / 2 == 0 ? kUnknownFunction : static_cast<FunctionIndex>(number / 2 - 1);
      entry.by_jump = number % 2 == 1;
      entry.times = take_times(in);
    }
  }
  if (!in.at_end()) take_names(in, code);  // results before object files were looked at end here
  sort_functions(code);
  return code;
}

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

std::string cost_graph_bytes(const CostGraph& graph) {
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

std::string encode_cost_graph(const CostGraph& graph) { return compress_zstd(cost_graph_bytes(graph), kZstdLevel); }

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

namespace {

constexpr std::string_view kStacksMagic = "icstack1";
constexpr size_t kMaxPlainStackBytes = size_t{1} << 30;

NumberedStrings used_strings(const CallStacks& stacks) {
  std::vector<bool> used(stacks.strings.size(), false);
  for (const CallFrame& frame : stacks.frames) used[frame.name] = used[frame.file] = used[frame.object] = true;
  return number_strings(stacks.strings, std::move(used));
}

}  // namespace

std::string encode_call_stacks(const CallStacks& stacks) {
  const NumberedStrings strings = used_strings(stacks);
  std::vector<uint32_t> order(stacks.frames.size());
  std::iota(order.begin(), order.end(), 0u);
  ByteWriter out;
  out.put_bytes(kStacksMagic);
  out.put_unsigned(stacks.events.size());
  for (const std::string& event : stacks.events) out.put_text(event);
  for (const int64_t total : stacks.totals) out.put_signed(total);
  out.put_signed(stacks.callers);
  out.put_unsigned(stacks.approximate ? 1 : 0);
  put_strings(out, strings.strings);
  out.put_unsigned(order.size());
  put_column(out, order, [&](uint32_t i) { return strings.number[stacks.frames[i].object]; });
  put_column(out, order, [&](uint32_t i) { return strings.number[stacks.frames[i].file]; });
  put_column(out, order, [&](uint32_t i) { return strings.number[stacks.frames[i].name]; });
  put_column(out, order,
             [&](uint32_t i) { return stacks.frames[i].parent == kNoFrame ? 0 : stacks.frames[i].parent + 1; });
  put_column(out, order, [&](uint32_t i) { return static_cast<uint32_t>(stacks.frames[i].kind); });
  put_costs(out, order, stacks.self, stacks.events.size());
  return compress_zstd(out.take(), kZstdLevel);
}

CallStacks decode_call_stacks(std::string_view blob, std::string_view name) {
  if (detect_compression(blob) != Compression::kZstd)
    throw Error(ErrorKind::kMalformed, std::string(name) + ": not packed call stacks");
  const std::string plain = decompress(blob, name, kMaxPlainStackBytes);
  ByteReader in(plain, name);
  if (!std::string_view(plain).starts_with(kStacksMagic)) in.fail("not packed call stacks of this version");
  in.take_bytes(kStacksMagic.size());
  CallStacks stacks;
  stacks.events.resize(in.take_count());
  for (std::string& event : stacks.events) event = in.take_text();
  stacks.totals.resize(stacks.events.size());
  for (int64_t& total : stacks.totals) total = in.take_signed();
  stacks.callers = in.take_signed();
  stacks.approximate = in.take_unsigned() != 0;
  const size_t strings = take_strings(in, stacks.strings);
  const size_t count = in.take_count(5 + stacks.events.size());
  stacks.frames.resize(count);
  take_column(in, count, strings, [&](size_t i, uint32_t id) { stacks.frames[i].object = id; });
  take_column(in, count, strings, [&](size_t i, uint32_t id) { stacks.frames[i].file = id; });
  take_column(in, count, strings, [&](size_t i, uint32_t id) { stacks.frames[i].name = id; });
  take_column(in, count, count,
              [&](size_t i, uint32_t parent) { stacks.frames[i].parent = parent == 0 ? kNoFrame : parent - 1; });
  take_column(in, count, 4, [&](size_t i, uint32_t kind) { stacks.frames[i].kind = static_cast<FrameKind>(kind); });
  stacks.self = take_costs(in, count, stacks.events.size());
  if (!in.at_end()) in.fail("bytes are left over after the stacks");
  in_context(name, [&] { check_call_stacks(stacks); });
  return stacks;
}

}  // namespace icount
