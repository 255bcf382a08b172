#include "icount/report/exports.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// Field numbers of profile.proto.
enum ProfileField {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kComment = 13,
  kDefaultSampleType = 14
};
enum SampleField { kLocationIds = 1, kValues = 2, kLabel = 3 };

/// One message in the protocol buffers' wire format.
class Message {
 public:
  void put_number(int field, uint64_t value) {
    put_varint(static_cast<uint64_t>(field) << 3);
    put_varint(value);
  }
  void put_bytes(int field, std::string_view bytes) {
    put_varint(static_cast<uint64_t>(field) << 3 | 2);
    put_varint(bytes.size());
    bytes_ += bytes;
  }
  void put_varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

bool is_loader(std::string_view object) { return base_of_path(object).starts_with("ld-"); }

/// The object that holds `main`; without one, that with the largest own cost but for the dynamic loader. Empty: none.
std::string find_program(const std::vector<const StackTree*>& trees) {
  std::map<std::string_view, int64_t> costs;
  for (const StackTree* tree : trees)
    for (size_t i = 0; i < tree->frames.size(); ++i) {
      if (tree->name(i) == "main" && !is_loader(tree->object(i))) return std::string(tree->object(i));
      if (!is_loader(tree->object(i)) && tree->frames[i].kind == FrameKind::kFunction)
        costs[tree->object(i)] += tree->frames[i].self;
    }
  const auto most =
      std::max_element(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == costs.end() ? "" : std::string(most->first);
}

class ProfileWriter {
 public:
  /// The first mapping is what viewers call the main binary.
  ProfileWriter(const PprofOptions& options, const std::string& program) : options_(options) {
    text("");
    mapping(program);
  }

  void add_sample_type(const std::string& event) {
    Message type;
    if (types_ == 0) default_type_ = text(event);
    type.put_number(1, text(event));
    type.put_number(2, text("count"));
    profile_.put_bytes(kSampleType, type.bytes());
    ++types_;
  }

  /// The tree's samples in column `column`, times `sign`.
  void add_tree(const StackTree& tree, size_t column, int sign) {
    std::vector<uint64_t> locations(tree.frames.size());
    for (size_t i = 0; i < tree.frames.size(); ++i) {
      locations[i] = location(tree, i);
      if (tree.frames[i].self == 0) continue;
      Message ids, values, sample;
      for (auto frame = static_cast<uint32_t>(i); frame != kNoFrame; frame = tree.frames[frame].parent)
        ids.put_varint(locations[frame]);
      for (size_t c = 0; c < types_; ++c)
        values.put_varint(c == column ? static_cast<uint64_t>(sign * tree.frames[i].self) : 0);
      sample.put_bytes(kLocationIds, ids.bytes());
      sample.put_bytes(kValues, values.bytes());
      if (!options_.benchmark.empty()) put_label(sample, "benchmark", options_.benchmark);
      if (sign < 0) put_label(sample, "pprof::base", "true");
      profile_.put_bytes(kSample, sample.bytes());
    }
  }

  std::string finish() {
    for (const std::string& comment : options_.comments) profile_.put_number(kComment, text(comment));
    profile_.put_number(kDefaultSampleType, default_type_);
    for (const std::string& string : strings_) profile_.put_bytes(kStringTable, string);
    return profile_.bytes();
  }

 private:
  uint64_t text(std::string_view view) {
    const std::string utf8 = with_valid_utf8(view);  // pprof demands it
    const auto [at, is_new] = numbers_.try_emplace(utf8, strings_.size());
    if (is_new) strings_.push_back(utf8);
    return at->second;
  }

  void put_label(Message& sample, std::string_view key, std::string_view value) {
    Message label;
    label.put_number(1, text(key));
    label.put_number(2, text(value));
    sample.put_bytes(kLabel, label.bytes());
  }

  uint64_t mapping(std::string_view object) {
    if (object.empty() || object == "???") return 0;
    const auto [at, is_new] = mappings_.try_emplace(std::string(object), mappings_.size() + 1);
    if (is_new) {
      Message message;
      message.put_number(1, at->second);
      message.put_number(5, text(object));
      message.put_number(7, 1);  // has_functions: nothing is left to look up
      profile_.put_bytes(kMapping, message.bytes());
    }
    return at->second;
  }

  /// Locations and functions are one to one.
  uint64_t location(const StackTree& tree, size_t frame) {
    const std::tuple key(std::string(tree.name(frame)), std::string(tree.file(frame)), std::string(tree.object(frame)));
    const auto [at, is_new] = locations_.try_emplace(key, locations_.size() + 1);
    if (!is_new) return at->second;
    const uint64_t name = text(std::get<0>(key));
    Message function, line, place;
    function.put_number(1, at->second);
    function.put_number(2, name);
    function.put_number(3, name);
    if (std::get<1>(key) != "???") function.put_number(4, text(std::get<1>(key)));
    profile_.put_bytes(kFunction, function.bytes());
    line.put_number(1, at->second);
    place.put_number(1, at->second);
    if (const uint64_t id = mapping(std::get<2>(key))) place.put_number(2, id);
    place.put_bytes(4, line.bytes());
    profile_.put_bytes(kLocation, place.bytes());
    return at->second;
  }

  const PprofOptions& options_;
  Message profile_;
  size_t types_ = 0;
  uint64_t default_type_ = 0;
  std::vector<std::string> strings_;
  std::map<std::string, uint64_t> numbers_, mappings_;
  std::map<std::tuple<std::string, std::string, std::string>, uint64_t> locations_;
};

}  // namespace

std::string render_pprof(const std::vector<StackTree>& trees, const PprofOptions& options) {
  std::vector<const StackTree*> all;
  for (const StackTree& tree : trees) all.push_back(&tree);
  ProfileWriter writer(options, find_program(all));
  for (const StackTree& tree : trees) writer.add_sample_type(tree.event);
  for (size_t column = 0; column < trees.size(); ++column) writer.add_tree(trees[column], column, 1);
  return writer.finish();
}

std::string render_pprof_diff(const StackTree& base, const StackTree& head, const PprofOptions& options) {
  ProfileWriter writer(options, find_program({&head, &base}));
  writer.add_sample_type(head.event);
  writer.add_tree(base, 0, -1);
  writer.add_tree(head, 0, 1);
  return writer.finish();
}

}  // namespace icount
