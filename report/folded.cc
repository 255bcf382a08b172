#include "icount/report/exports.h"

#include <string_view>
#include <vector>

namespace icount {
namespace {

std::string folded_name(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (c == ';') c = ':';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return plain.empty() ? "?" : plain;
}

/// The stack of a frame, grown along a walk in depth-first order. One text is kept, not one per frame.
class Path {
 public:
  explicit Path(size_t frames) : ends_(frames) {}
  const std::string& enter(size_t frame, uint32_t parent, std::string_view name) {
    text_.resize(parent == kNoFrame ? 0 : ends_[parent]);
    if (parent != kNoFrame) text_ += ';';
    text_ += folded_name(name);
    ends_[frame] = text_.size();
    return text_;
  }

 private:
  std::string text_;
  std::vector<size_t> ends_;
};

}  // namespace

std::string render_folded(const StackTree& tree) {
  std::string out;
  Path path(tree.frames.size());
  for (size_t i = 0; i < tree.frames.size(); ++i) {
    const std::string& stack = path.enter(i, tree.frames[i].parent, tree.name(i));
    if (tree.frames[i].self > 0) out += stack + ' ' + std::to_string(tree.frames[i].self) + '\n';
  }
  return out;
}

std::string render_folded_diff(const StackTreeDiff& diff) {
  std::string out;
  Path path(diff.frames.size());
  for (size_t i = 0; i < diff.frames.size(); ++i) {
    const StackDiffFrame& frame = diff.frames[i];
    const std::string& stack = path.enter(i, frame.parent, diff.name(i));
    if (frame.base_self > 0 || frame.head_self > 0)
      out += stack + ' ' + std::to_string(frame.base_self) + ' ' + std::to_string(frame.head_self) + '\n';
  }
  return out;
}

}  // namespace icount
