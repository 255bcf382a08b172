#include "icount/counter/named_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr uint64_t kMostCount = std::numeric_limits<int64_t>::max();

[[noreturn]] void fail(std::string_view name, std::string_view what) {
  throw Error(ErrorKind::kMalformed,
              fmt::format("{}: not a whole file of icount's counter: {}; count again", name, what));
}

class PartReader {
 public:
  PartReader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  CountsPart read() {
    const auto head = take<CountsHead>();
    check_checksum();
    CountsPart part;
    part.pid = static_cast<int64_t>(head.pid);
    part.number = static_cast<int64_t>(head.number);
    part.trigger = head.trigger;
    part.total = count(head.total, "its total");
    if (head.text_bytes > bytes_.size() - at_) fail(name_, "its text is longer than the file");
    const std::string_view text = bytes_.substr(bytes_.size() - 8 - head.text_bytes, head.text_bytes);
    part.text = text;
    part.command = piece_of(text, head.command, head.command_bytes);
    part.name = piece_of(text, head.name, head.name_bytes);
    part.begin = count(head.begin, "where it begins");
    part.end = count(head.end, "where it ends");
    const auto objects = take_all<CountsObject>(head.objects);
    for (const CountsObject& object : objects) {
      CountedObject one{object.bias, std::string(piece_of(text, object.path, object.path_bytes)), {}};
      if (one.path.empty() || object.build_id_bytes > sizeof object.build_id) fail(name_, "an object has no path");
      for (uint32_t i = 0; i < object.build_id_bytes; ++i) one.build_id += fmt::format("{:02x}", object.build_id[i]);
      part.objects.push_back(std::move(one));
    }
    const auto threads = take_all<CountsThread>(head.threads);
    uint64_t total = 0;
    for (const CountsThread& thread : threads) {
      CountedThread one;
      one.thread = thread.thread;
      one.total = count(thread.total, "a thread's total");
      one.pieces = take_all<CountsPiece>(thread.pieces);
      one.edges = take_all<CountsEdge>(thread.edges);
      check(one, part);
      total = add(total, thread.total);
      part.threads.push_back(std::move(one));
    }
    if (total != head.total) fail(name_, "its threads do not add up to its total");
    if (at_ + head.text_bytes + 8 != bytes_.size()) fail(name_, "its parts do not fill it");
    return part;
  }

 private:
  template <typename Record>
  Record take() {
    Record record;
    if (bytes_.size() - at_ < sizeof record) fail(name_, "it ends in a record");
    std::memcpy(&record, bytes_.data() + at_, sizeof record);
    at_ += sizeof record;
    return record;
  }

  template <typename Record>
  std::vector<Record> take_all(uint64_t n) {
    if (n > (bytes_.size() - at_) / sizeof(Record)) fail(name_, "it has fewer records than it says");
    std::vector<Record> records(n);
    if (n > 0) std::memcpy(records.data(), bytes_.data() + at_, n * sizeof(Record));
    at_ += n * sizeof(Record);
    return records;
  }

  void check_checksum() const {
    uint64_t sum = 0, word = 0;
    for (size_t at = 0; at + 8 <= bytes_.size(); at += 8) {
      std::memcpy(&word, bytes_.data() + at, 8);
      if (at + 8 < bytes_.size()) sum = icount_counts_mix(sum, word);
    }
    if (sum != word) fail(name_, "its checksum is another one");
  }

  std::string_view piece_of(std::string_view text, uint64_t at, uint64_t bytes) const {
    if (at > text.size() || bytes > text.size() - at) fail(name_, "a name lies outside its text");
    return text.substr(at, bytes);
  }

  void check(const CountedThread& thread, const CountsPart& part) const {
    uint64_t total = 0;
    for (const CountsPiece& piece : thread.pieces) {
      piece_of(part.text, piece.lengths, piece.instructions);
      if (piece.object > part.objects.size() || piece.target_object > part.objects.size())
        fail(name_, "an object is not there");
      if (piece.left > piece.count) fail(name_, "a piece was left more often than it ran");
      uint64_t cost = 0;
      if (__builtin_mul_overflow(piece.count, uint64_t{piece.instructions}, &cost)) fail(name_, "a count is too large");
      total = add(total, cost);
    }
    for (const CountsEdge& edge : thread.edges) {
      if (edge.site_object > part.objects.size() || edge.to_object > part.objects.size())
        fail(name_, "an object is not there");
      count(edge.count, "a number of calls");
      count(edge.inclusive, "a call's cost");
      if (edge.kind == kEdgeSkipped) total = add(total, edge.inclusive);
    }
    if (total != static_cast<uint64_t>(thread.total)) fail(name_, "its pieces do not add up to its total");
  }

  uint64_t add(uint64_t a, uint64_t b) const {
    uint64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum) || sum > kMostCount) fail(name_, "a sum does not fit into 63 bits");
    return sum;
  }

  int64_t count(uint64_t number, std::string_view what) const {
    if (number > kMostCount) fail(name_, fmt::format("{} does not fit into 63 bits", what));
    return static_cast<int64_t>(number);
  }

  std::string_view bytes_, name_;
  size_t at_ = 0;
};

}  // namespace

bool is_counts_file(std::string_view bytes) {
  uint64_t magic = 0;
  if (bytes.size() < sizeof magic) return false;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == ICOUNT_COUNTS_MAGIC;
}

std::vector<CountsPart> parse_counts(std::string_view bytes, std::string_view name) {
  std::vector<CountsPart> parts;
  while (!bytes.empty() || parts.empty()) {
    CountsHead head;
    if (bytes.size() < sizeof head + 8) fail(name, fmt::format("it ends after part {}", parts.size()));
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.magic != ICOUNT_COUNTS_MAGIC) fail(name, fmt::format("no part begins behind part {}", parts.size()));
    if (head.version != 1)
      throw Error(ErrorKind::kMalformed,
                  fmt::format("{}: format version {} of icount's counter is not supported; count "
                              "with the tool that came with this icount",
                              name, head.version));
    if (head.bytes < sizeof head + 8 || head.bytes > bytes.size() || head.bytes % 8 != 0)
      fail(name, fmt::format("part {} has {} bytes of {}", parts.size() + 1, bytes.size(), head.bytes));
    parts.push_back(PartReader(bytes.substr(0, head.bytes), name).read());
    bytes.remove_prefix(head.bytes);
  }
  return parts;
}

namespace {

/// An address with the object that has it: 1 + index, 0: none.
struct Spot {
  uint32_t object = 0;
  uint64_t address = 0;
  auto operator<=>(const Spot&) const = default;
};

struct Lines {
  std::vector<uint64_t> addresses;  // of the object's file, ascending
  CodeLines of;
};

/// What is said of a function before its costs.
struct FunctionName {
  uint32_t object = 0;
  std::string file, name;
  auto operator<=>(const FunctionName&) const = default;
};

struct Call {
  uint64_t calls = 0, inclusive = 0;
};
struct Jump {
  bool conditional = false;
  Spot to;
  auto operator<=>(const Jump&) const = default;
};
struct Jumps {
  uint64_t executed = 0, followed = 0;
};

/// What happens at one instruction of a function.
struct InstructionCosts {
  uint64_t executed = 0;
  std::map<Spot, Call> calls;
  std::map<Jump, Jumps> jumps;
};

using FunctionCosts = std::map<Spot, InstructionCosts>;

}  // namespace

class PartWriter {
 public:
  PartWriter(const CountsPart& part, CountsNamer& namer) : part_(part) {
    for (const CountedObject& object : part.objects) objects_.push_back(&namer.object(object));
  }

  /// `begins`: as the first part of a file.
  std::string write(bool begins) {
    if (begins)
      text_ = fmt::format("# callgrind format\nversion: 1\ncreator: {}\npid: {}\ncmd: {}\n", kCounterCreator, part_.pid,
                          part_.command);
    collect_lines();
    for (const CountedThread& thread : part_.threads) write_thread(thread);
    return std::move(text_);
  }

 private:
  uint64_t in_file(Spot spot) const {
    return spot.object == 0 ? spot.address : spot.address - part_.objects[spot.object - 1].bias;
  }

  const CodeSymbol* symbol_at(Spot spot) const {
    return spot.object == 0 ? nullptr : objects_[spot.object - 1]->find(in_file(spot));
  }

  void want(Spot spot) {
    if (spot.object == 0) return;
    lines_[spot.object - 1].addresses.push_back(in_file(spot));
    if (const CodeSymbol* symbol = symbol_at(spot)) lines_[spot.object - 1].addresses.push_back(symbol->begin);
  }

  void collect_lines() {
    lines_.resize(part_.objects.size());
    for (const CountedThread& thread : part_.threads) {
      for (const CountsPiece& piece : thread.pieces) {
        uint64_t at = piece.address;
        want({piece.object, piece.block});
        for (unsigned i = 0; i < piece.instructions; ++i) {
          if (piece.object != 0) lines_[piece.object - 1].addresses.push_back(in_file({piece.object, at}));
          at += static_cast<unsigned char>(part_.text[piece.lengths + i]);
        }
        if (piece.target_object != 0) want({piece.target_object, piece.target});
      }
      for (const CountsEdge& edge : thread.edges) {
        want({edge.site_object, edge.site});
        want({edge.site_object, edge.site_block});
        want({edge.to_object, edge.to});
        if (edge.kind != kEdgeSkipped && !symbol_at({edge.to_object, edge.to}))
          entries_.insert({edge.to_object, edge.to});
      }
    }
    for (size_t i = 0; i < lines_.size(); ++i) {
      auto& addresses = lines_[i].addresses;
      std::sort(addresses.begin(), addresses.end());
      addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
      lines_[i].of = objects_[i]->load_lines(addresses);
    }
  }

  std::pair<std::string_view, uint64_t> line_of(Spot spot) const {
    if (spot.object == 0) return {"???", 0};
    const Lines& lines = lines_[spot.object - 1];
    const auto at = std::lower_bound(lines.addresses.begin(), lines.addresses.end(), in_file(spot));
    if (at == lines.addresses.end() || *at != in_file(spot)) return {"???", 0};
    const AddressLine& line = lines.of.lines[static_cast<size_t>(at - lines.addresses.begin())];
    return {lines.of.files[line.file], line.line};
  }

  /// The nearest place before a block that has no symbol where code without one was entered; its own, if that is far.
  uint64_t entry_before(Spot block) const {
    constexpr uint64_t kFar = 1 << 16;
    const auto behind = entries_.upper_bound(block);
    if (behind == entries_.begin()) return block.address;
    const Spot entry = *std::prev(behind);
    return entry.object == block.object && block.address - entry.address < kFar ? entry.address : block.address;
  }

  /// The function of a block. One that no symbol has is named by where the function was entered that it ran in.
  const FunctionName& function_of(Spot block, uint64_t context) {
    const auto [at, fresh] = functions_.try_emplace({block, context});
    if (!fresh) return at->second;
    FunctionName& function = at->second;
    function.object = block.object;
    Spot named = block;
    const CodeSymbol* symbol = symbol_at(block);
    if (!symbol && context != 0) {
      named.address = context;
      symbol = symbol_at(named);
    } else if (!symbol) {
      named.address = entry_before(block);
    }
    if (symbol) {
      function.name = valgrind_name(symbol->name);
      named.address = symbol->begin + (named.object == 0 ? 0 : part_.objects[named.object - 1].bias);
    } else {
      function.name = fmt::format("{:#018x}", in_file(named));
    }
    function.file = line_of(named).first;
    return function;
  }

  /// As Callgrind has it: the function that was entered last, also where a jump led on into another one's code.
  const FunctionName& caller_of(const CountsEdge& edge) {
    const Spot block{edge.site_object, edge.site_block}, entry{edge.site_object, edge.site_context};
    return function_of(edge.site_context != 0 && symbol_at(entry) ? entry : block, edge.site_context);
  }

  void write_thread(const CountedThread& thread) {
    std::map<FunctionName, FunctionCosts> costs;
    for (const CountsPiece& piece : thread.pieces) {
      FunctionCosts& function = costs[function_of({piece.object, piece.block}, piece.context)];
      uint64_t at = piece.address, last = at;
      for (unsigned i = 0; i < piece.instructions; ++i) {
        function[{piece.object, at}].executed += piece.count;
        last = at;
        at += static_cast<unsigned char>(part_.text[piece.lengths + i]);
      }
      const bool conditional = piece.end == kEndsAtSideExit;
      if (piece.target == 0 || (!conditional && piece.end != kEndsInJump)) continue;
      if (conditional && piece.target == last) continue;  // rep: goes on with itself
      Jumps& jumps = function[{piece.object, last}].jumps[{conditional, {piece.target_object, piece.target}}];
      jumps.executed += piece.count;
      jumps.followed += piece.left;
    }
    for (const CountsEdge& edge : thread.edges) {
      FunctionCosts& function = costs[caller_of(edge)];
      InstructionCosts& site = function[{edge.site_object, edge.site}];
      if (edge.kind == kEdgeSkipped) {
        site.executed += edge.inclusive;
        continue;
      }
      if (edge.inclusive == 0) continue;  // nothing of it was collected: Callgrind doesn't list it either
      Call& call = site.calls[{edge.to_object, edge.to}];
      call.calls += edge.count;
      call.inclusive += edge.inclusive;
    }
    write_head(thread);
    for (const auto& [function, instructions] : costs) write_function(function, instructions);
    text_ += fmt::format("\ntotals: {}\n", thread.total);
  }

  std::string trigger() const {
    if (part_.trigger == kCountsAtEnd) return "Program termination";
    if (part_.trigger == kCountsBeforeExec) return "Before execve";
    if (part_.trigger == kCountsAtFunction) return part_.name;
    return part_.name.empty() ? "Client Request" : "Client Request: " + part_.name;
  }

  void write_head(const CountedThread& thread) {
    text_ += fmt::format("part: {}\n", part_.number);
    if (thread.thread != 0) text_ += fmt::format("thread: {}\n", thread.thread);
    text_ +=
        fmt::format("\ndesc: Timerange: Basic block {} - {}\ndesc: Trigger: {}\n", part_.begin, part_.end, trigger());
    for (size_t i = 0; i < objects_.size(); ++i)
      if (!objects_[i]->is_at_hand())
        text_ += fmt::format("desc: Without names: {} is not the file that ran\n", part_.objects[i].path);
    text_ += fmt::format("\npositions: instr line\nevents: Ir\nsummary: {}\n\n", thread.total);
  }

  std::string_view object_name(uint32_t object) const {
    return object == 0 ? std::string_view("???") : std::string_view(part_.objects[object - 1].path);
  }

  void write_function(const FunctionName& function, const FunctionCosts& instructions) {
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "\nob={}\nfl={}\nfn={}\n", object_name(function.object), function.file, function.name);
    std::string_view file = function.file;
    for (const auto& [spot, costs] : instructions) {
      const auto [its_file, line] = line_of(spot);
      const std::string set_file =
          its_file == file ? std::string() : fmt::format("{}={}\n", its_file == function.file ? "fe" : "fi", its_file);
      // A line of self cost commits the file; before a call or jump alone it is forgotten behind it
      // (docs/callgrind_format.md). As in Callgrind's files, there is none for what did not run.
      if (costs.executed > 0) {
        fmt::format_to(out, "{}{:#x} {} {}\n", set_file, in_file(spot), line, costs.executed);
        file = its_file;
      }
      for (const auto& [to, call] : costs.calls) {
        const FunctionName& callee = function_of(to, 0);
        fmt::format_to(out, "{}cob={}\ncfi={}\ncfn={}\ncalls={} {:#x} {}\n{:#x} {} {}\n",
                       costs.executed > 0 ? std::string() : set_file, object_name(callee.object), callee.file,
                       callee.name, call.calls, in_file(to), line_of(to).second, in_file(spot), line, call.inclusive);
      }
      if (costs.executed == 0) continue;
      for (const auto& [jump, jumps] : costs.jumps) write_jump(spot, line, its_file, jump, jumps);
    }
  }

  void write_jump(Spot spot, uint64_t line, std::string_view file, const Jump& jump, const Jumps& jumps) {
    if (jump.conditional && jumps.executed == 0) return;
    if (!jump.conditional && jumps.followed == 0) return;
    const auto [to_file, to_line] = line_of(jump.to);
    const auto out = std::back_inserter(text_);
    if (to_file != file) fmt::format_to(out, "jfi={}\n", to_file);
    if (jump.conditional)
      fmt::format_to(out, "jcnd={}/{} {:#x} {}\n", jumps.followed, jumps.executed, in_file(jump.to), to_line);
    else
      fmt::format_to(out, "jump={} {:#x} {}\n", jumps.followed, in_file(jump.to), to_line);
    fmt::format_to(out, "{:#x} {}\n", in_file(spot), line);
  }

  const CountsPart& part_;
  std::vector<const ObjectCode*> objects_;
  std::vector<Lines> lines_;
  std::map<std::pair<Spot, uint64_t>, FunctionName> functions_;
  std::set<Spot> entries_;  // without a symbol
  std::string text_;
};

const ObjectCode& CountsNamer::object(const CountedObject& object) {
  const auto key = std::pair(object.path, object.build_id);
  const auto at = objects_.find(key);
  if (at != objects_.end()) return at->second;
  return objects_.emplace(key, ObjectCode(object.path, object.build_id)).first->second;
}

std::string CountsNamer::load_text(std::string_view bytes, std::string_view name) {
  std::string text;
  for (const CountsPart& part : parse_counts(bytes, name)) text += PartWriter(part, *this).write(text.empty());
  return text;
}

FileBytes CountsNamer::load_profile(const std::filesystem::path& path) {
  FileBytes bytes = load_file(path);
  if (!is_counts_file(bytes.view())) return bytes;
  return FileBytes(load_text(bytes.view(), path.string()));
}

}  // namespace icount
