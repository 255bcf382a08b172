#include "icount/callgraph/code_sum.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "icount/base/checked.h"

namespace icount {
namespace {

class CodeSum {
 public:
  explicit CodeSum(const CostGraph& sum) : sum_(sum) { code_.events = sum.event_count(); }

  void add(const CodeOfPart& part) {
    const ProfileCode& code = *part.graph->code;
    std::vector<uint32_t> files;
    for (const std::string& file : code.files) {
      const auto [at, fresh] = files_.try_emplace(file, static_cast<uint32_t>(code_.files.size()));
      if (fresh) code_.files.push_back(file);
      files.push_back(at->second);
    }
    const std::vector<uint32_t> inlined = take_inlined(code.inlined, files);
    std::map<FunctionIndex, int> meant;
    for (const FunctionIndex number : part.numbers) ++meant[number];
    for (FunctionCode one : code.functions) {
      const FunctionIndex number = part.numbers[one.function];
      if (meant[number] > 1) continue;  // two functions of this part have one name in the sum
      for (CodeRow& row : one.rows) {
        row.file = files[row.file];
        row.inlined = inlined[row.inlined];
      }
      move(one, distance(code, part.graph->object(one.function)));
      renumber(one, part.numbers);
      append_code(functions_[number], std::move(one));
    }
  }

  std::shared_ptr<const ProfileCode> take() {
    for (auto& [function, one] : functions_) {
      add_up_places(one, code_.events);
      int64_t self = 0;
      for (size_t r = 0; r < one.rows.size(); ++r) self = saturating_add(self, one.self[r * code_.events]);
      if (self == sum_.self_of(function, 0)) code_.functions.push_back(std::move(one));
    }
    if (code_.functions.empty()) return nullptr;
    for (auto& [name, object] : objects_) code_.objects.push_back(std::move(object));
    return std::make_shared<const ProfileCode>(std::move(code_));
  }

 private:
  /// The numbers here of inlined functions: those of rows, 0 for none. Parts mostly have the same ones.
  std::vector<uint32_t> take_inlined(const std::vector<InlinedCode>& all, const std::vector<uint32_t>& files) {
    std::vector<uint32_t> numbers = {0};
    for (InlinedCode one : all) {
      one.file = files[one.file];
      one.outer = numbers[one.outer];
      const auto [at, fresh] = inlined_.try_emplace({one.name, one.file, one.line, one.call_line, one.outer},
                                                    static_cast<uint32_t>(code_.inlined.size() + 1));
      if (fresh) code_.inlined.push_back(std::move(one));
      numbers.push_back(at->second);
    }
    return numbers;
  }

  /// How far an object's code lies from where it lay in the first part that has it.
  uint64_t distance(const ProfileCode& code, std::string_view name) {
    const CodeObject* const object = find_object(code, name);
    if (!object) return 0;
    const auto [at, fresh] = objects_.try_emplace(std::string(name), *object);
    return at->second.load_bias - object->load_bias;
  }

  static void move(FunctionCode& one, uint64_t distance) {
    if (distance == 0) return;
    for (CodeRow& row : one.rows) row.address += distance;
    for (CodeJump& jump : one.jumps) jump.from += distance, jump.to += distance;
    for (CodeCall& call : one.calls) call.from += distance, call.to += distance;
    for (CodeEntry& entry : one.entries) entry.to += distance;
  }

  static void renumber(FunctionCode& one, const std::vector<FunctionIndex>& numbers) {
    const auto number = [&](FunctionIndex& f) { f = f < numbers.size() ? numbers[f] : kUnknownFunction; };
    number(one.function);
    for (CodeJump& jump : one.jumps) number(jump.to_function);
    for (CodeCall& call : one.calls) number(call.callee);
    for (CodeEntry& entry : one.entries) number(entry.from_function);
  }

  const CostGraph& sum_;
  ProfileCode code_;
  std::map<std::string, uint32_t> files_;
  std::map<std::tuple<std::string, uint32_t, uint64_t, uint64_t, uint32_t>, uint32_t> inlined_;
  std::map<std::string, CodeObject> objects_;
  std::map<FunctionIndex, FunctionCode> functions_;
};

}  // namespace

std::shared_ptr<const ProfileCode> sum_code(std::span<const CodeOfPart> parts, const CostGraph& sum) {
  CodeSum code(sum);
  for (const CodeOfPart& part : parts) {
    if (part.graph->events != sum.events) return nullptr;
    if (part.graph->code) code.add(part);
  }
  return code.take();
}

}  // namespace icount
