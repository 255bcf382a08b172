#include "icount/report/exports.h"

#include <map>
#include <tuple>

namespace icount {
namespace {

/// The table of frames that all profiles share.
class FrameTable {
 public:
  size_t number_of(const StackTree& tree, size_t frame) {
    const std::tuple key(std::string(tree.name(frame)), std::string(tree.file(frame)), std::string(tree.object(frame)));
    const auto [at, is_new] = known_.try_emplace(key, known_.size());
    if (is_new) {
      Json entry;
      entry["name"] = std::get<0>(key);
      if (!std::get<1>(key).empty() && std::get<1>(key) != "???") entry["file"] = std::get<1>(key);
      frames_.push_back(std::move(entry));
    }
    return at->second;
  }
  Json take() { return std::move(frames_); }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, size_t> known_;
  Json frames_ = Json::array();
};

Json event(const char* type, size_t frame, int64_t at) { return {{"type", type}, {"frame", frame}, {"at", at}}; }

Json profile_of(const NamedTree& named, FrameTable& table) {
  const StackTree& tree = named.tree;
  Json events = Json::array();
  std::vector<std::pair<size_t, int64_t>> open;  // frame of the tree, where it ends
  int64_t at = 0;
  const auto close_until = [&](uint32_t parent) {
    while (!open.empty() && open.back().first != parent) {
      at = open.back().second;
      events.push_back(event("C", table.number_of(tree, open.back().first), at));
      open.pop_back();
    }
  };
  for (size_t i = 0; i < tree.frames.size(); ++i) {
    close_until(tree.frames[i].parent);
    events.push_back(event("O", table.number_of(tree, i), at));
    open.emplace_back(i, at + tree.frames[i].inclusive);
  }
  close_until(kNoFrame);
  Json profile;
  profile["type"] = "evented";
  profile["name"] = named.name;
  profile["unit"] = "none";
  profile["startValue"] = 0;
  profile["endValue"] = tree.total;
  profile["events"] = std::move(events);
  return profile;
}

}  // namespace

Json speedscope_to_json(const std::vector<NamedTree>& trees, const std::string& name) {
  FrameTable table;
  Json profiles = Json::array();
  for (const NamedTree& named : trees) profiles.push_back(profile_of(named, table));
  Json json;
  json["$schema"] = "https://www.speedscope.app/file-format-schema.json";
  json["name"] = name;
  json["exporter"] = "icount";
  json["activeProfileIndex"] = 0;
  json["shared"] = {{"frames", table.take()}};
  json["profiles"] = std::move(profiles);
  return json;
}

}  // namespace icount
