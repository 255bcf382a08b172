#include "icount/callgrind/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgrind/name_table.h"
#include "icount/callgrind/scanner.h"

namespace icount {
namespace {

/// Entries of a table by their function: those of f are entries[starts[f]] to entries[starts[f + 1]].
struct ByFunction {
  std::vector<size_t> starts;
  std::vector<size_t> entries;

  template <typename Table, typename Key>
  ByFunction(size_t functions, const Table& table, Key key) : starts(functions + 1, 0), entries(table.size()) {
    for (const auto& entry : table) ++starts[key(entry) + 1];
    for (size_t f = 0; f < functions; ++f) starts[f + 1] += starts[f];
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    for (size_t i = 0; i < table.size(); ++i) entries[next[key(table[i])]++] = i;
  }
};

class Writer {
 public:
  explicit Writer(const CostGraph& graph)
      : graph_(graph),
        rows_(graph.functions.size(), graph.rows, [](const Row& row) { return row.function; }),
        lines_(graph.functions.size(), graph.lines, [](const LineRow& line) { return line.function; }),
        edges_(graph.functions.size(), graph.edges, [](const Edge& edge) { return edge.caller; }),
        named_(3, std::vector<bool>(graph.strings.size(), false)),
        first_id_(free_id(graph)) {}

  std::string render(std::string_view command) && {
    append("# callgrind format\nversion: 1\ncreator: icount\ncmd: {}\npart: 1\n\npositions: line\nevents: {}\n",
           escaped(command), fmt::join(graph_.events, " "));
    append("summary: {}\n\n", fmt::join(graph_.totals, " "));
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f) write_function(f);
    append("\ntotals: {}\n", fmt::join(graph_.totals, " "));
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  static std::string escaped(std::string_view command) { return escape_for_terminal(command); }

  /// The first of the ids we give out. A function may be named "(12)'2": read back, that is put together from id 12,
  /// which must then be nobody's, so that the text stays as it is.
  static size_t free_id(const CostGraph& graph) {
    uint64_t most = 0;
    for (const Function& function : graph.functions) {
      const std::string_view name = graph.strings.view(function.name);
      if (!is_made_of_ids(name)) continue;
      for (const std::string_view piece : split(name, '\''))
        if (piece.starts_with('('))
          most = std::max<uint64_t>(most,
                                    static_cast<uint64_t>(parse_int64(piece.substr(1, piece.size() - 2)).value_or(0)));
    }
    return most + 1;
  }

  void write_function(FunctionIndex f) {
    const size_t costs = rows_.starts[f + 1] - rows_.starts[f] + lines_.starts[f + 1] - lines_.starts[f];
    if (costs + edges_.starts[f + 1] - edges_.starts[f] == 0) return;  // a mere callee is named where it is called
    const Function& function = graph_.functions[f];
    text_ += '\n';
    write_name("ob", NameKind::kObject, function.object);
    write_name("fl", NameKind::kFile, function.file);
    write_name("fn", NameKind::kFunction, function.name);
    for (size_t i = edges_.starts[f]; i < edges_.starts[f + 1]; ++i) write_call(function, edges_.entries[i]);
    file_ = function.file;
    if (graph_.lines.empty()) {
      for (size_t i = rows_.starts[f]; i < rows_.starts[f + 1]; ++i)
        write_cost(graph_.rows[rows_.entries[i]].file, 0, graph_.row_self, rows_.entries[i]);
    } else {
      for (size_t i = lines_.starts[f]; i < lines_.starts[f + 1]; ++i) {
        const LineRow& line = graph_.lines[lines_.entries[i]];
        write_cost(line.file, line.line, graph_.line_self, lines_.entries[i]);
      }
    }
  }

  void write_call(const Function& caller, size_t edge) {
    const Function& callee = graph_.functions[graph_.edges[edge].callee];
    if (callee.object != caller.object) write_name("cob", NameKind::kObject, callee.object);
    if (callee.file != caller.file) write_name("cfi", NameKind::kFile, callee.file);
    write_name("cfn", NameKind::kFunction, callee.name);
    append("calls={} 0\n0", graph_.edges[edge].calls);
    write_numbers(graph_.inclusive, edge);
  }

  void write_cost(StringId file, uint64_t line, const std::vector<int64_t>& table, size_t entry) {
    if (file != file_) write_name("fi", NameKind::kFile, file);
    file_ = file;
    append("{}", line);
    write_numbers(table, entry);
  }

  void write_numbers(const std::vector<int64_t>& table, size_t entry) {
    for (size_t e = 0; e < graph_.event_count(); ++e) append(" {}", table[entry * graph_.event_count() + e]);
    text_ += '\n';
  }

  void write_name(std::string_view word, NameKind kind, StringId id) {
    const std::string_view name = graph_.strings.view(id);
    if (name.find('\n') != std::string_view::npos || (!name.empty() && is_blank(name[0])))
      throw Error(ErrorKind::kMalformed,
                  fmt::format("cannot write the name '{}' as callgrind.out: it {}", escape_for_terminal(name),
                              is_blank(name[0]) ? "begins with a space" : "contains a line feed"));
    text_ += word;
    text_ += '=';
    if (!name.empty()) append("({})", first_id_ + id);
    auto known = named_[static_cast<size_t>(kind)].begin() + id;
    if (!*known && !name.empty()) {
      text_ += ' ';
      text_ += name;
      if (name.back() == '\r') text_ += '\r';  // readers drop one
      *known = true;
    }
    text_ += '\n';
  }

  const CostGraph& graph_;
  ByFunction rows_, lines_, edges_;
  std::vector<std::vector<bool>> named_;  // per kind: whose text was written
  size_t first_id_;
  StringId file_ = kEmptyString;
  std::string text_;
};

}  // namespace

std::string render_callgrind(const CostGraph& graph, std::string_view command) { return Writer(graph).render(command); }

}  // namespace icount
