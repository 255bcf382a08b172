#include "icount/counter/counts.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

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

}  // namespace icount
