#include "icount/report/stack_json.h"

namespace icount {

Json stacks_to_json(const StackTreeDiff& stacks, ReportStrings& strings) {
  Json id = Json::array(), up = Json::array(), base = Json::array(), delta = Json::array(), kind = Json::object();
  for (size_t i = 0; i < stacks.frames.size(); ++i) {
    const StackDiffFrame& frame = stacks.frames[i];
    id.push_back(strings.add_function(stacks.name(i), stacks.file(i), stacks.object(i)));
    up.push_back(frame.parent == kNoFrame ? i + 1 : i - frame.parent);
    base.push_back(frame.base_self);
    delta.push_back(frame.head_self - frame.base_self);
    if (frame.kind != FrameKind::kFunction) kind[std::to_string(i)] = kind_text(frame.kind);
  }
  return {{"approximate", stacks.approximate},
          {"id", std::move(id)},
          {"up", std::move(up)},
          {"self", {{"base", std::move(base)}, {"delta", std::move(delta)}}},
          {"kind", std::move(kind)}};
}

}  // namespace icount
