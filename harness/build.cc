#include "icount/harness/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "icount/base/error.h"
#include "icount/base/parallel.h"
#include "icount/harness/compile.h"
#include "icount/harness/compiler_messages.h"

namespace icount {
namespace {

/// Above so many suspects a message is a cascade (an unclosed brace), and halving finds the culprit sooner.
constexpr size_t kManySuspects = 8;

Members without(const Members& all, const Members& some) {
  Members rest;
  for (const size_t member : all)
    if (std::find(some.begin(), some.end(), member) == some.end()) rest.push_back(member);
  return rest;
}

/// A unit that compiled, and who is in it.
struct Built {
  Members members;
  CompileOutcome object;
};

/// Compiles the units of one plan; takes failing ones apart until every culprit stands alone.
class UnitBuilder {
 public:
  UnitBuilder(std::span<const TimerArgs> statements, StubCompiler& compiler)
      : statements_(statements), compiler_(compiler) {}

  void build(const Members& members) {
    if (members.empty()) return;
    if (members.size() == 1)
      if (const auto known = find_failure(members[0])) return fail(members[0], *known);
    CompileOutcome object = compiler_.compile(make_stub_unit(statements_, members), UnitKind::kStatements);
    if (object.ok()) return add(members, std::move(object));
    if (const std::string broken = check_global_setup(members[0]); !broken.empty()) {
      for (const size_t member : members) fail(member, broken);
      return;
    }
    if (members.size() == 1) return fail(members[0], object.message);
    const std::string message = compiler_.check(make_stub_unit(statements_, members, TextNames::kNumbered));
    const Members suspects = suspects_of(message, members);
    if (suspects.empty() || suspects.size() > kManySuspects || suspects.size() == members.size()) return halve(members);
    build(without(members, suspects));
    for (const size_t suspect : suspects) build({suspect});
  }

  void fail(size_t statement, const std::string& message) {
    const std::lock_guard lock(mutex_);
    failures_.push_back({statement, first_compiler_error(message), message});
    failed_texts_.emplace(text_of(statement), message);
  }

  std::vector<Built>& built() { return built_; }
  std::vector<BuildFailure>& failures() { return failures_; }
  size_t compiled() const { return compiled_; }

 private:
  /// Everything that the compiler reads of a statement: equal texts fail with equal words.
  std::string text_of(size_t statement) const {
    const TimerArgs& args = statements_[statement];
    return fmt::format("{}\x1e{}\x1e{}\x1e{}", args.global_setup, args.setup, args.stmt, args.backward);
  }

  std::optional<std::string> find_failure(size_t statement) {
    const std::lock_guard lock(mutex_);
    const auto at = failed_texts_.find(text_of(statement));
    return at == failed_texts_.end() ? std::nullopt : std::optional(at->second);
  }

  /// What is wrong with a statement's global set-up alone, empty for nothing: a brace that it leaves open takes the
  /// statement in, and is an error only at the statement's end.
  std::string check_global_setup(size_t statement) {
    const std::string& text = statements_[statement].global_setup;
    if (text.empty()) return {};
    const std::lock_guard lock(setups_mutex_);
    const auto [at, fresh] = global_setups_.try_emplace(text);
    if (fresh) at->second = compiler_.check(make_global_setup_unit(text));
    return at->second;
  }

  void halve(const Members& members) {
    const auto middle = members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2);
    build(Members(members.begin(), middle));
    build(Members(middle, members.end()));
  }

  void add(const Members& members, CompileOutcome object) {
    const std::lock_guard lock(mutex_);
    compiled_ += object.from_cache ? 0 : 1;
    built_.push_back({members, std::move(object)});
  }

  std::span<const TimerArgs> statements_;
  StubCompiler& compiler_;
  std::mutex mutex_;
  std::vector<Built> built_;
  std::vector<BuildFailure> failures_;
  std::map<std::string, std::string> failed_texts_;
  std::mutex setups_mutex_;
  std::map<std::string, std::string> global_setups_;  ///< what check_global_setup found
  size_t compiled_ = 0;
};

CompileOutcome compile_main(StubCompiler& compiler, bool torch) {
  CompileOutcome main = compiler.compile(make_stub_main(torch), UnitKind::kServer);
  if (!main.ok())
    throw Error(ErrorKind::kTool, fmt::format("cannot compile the stub server itself: {}\n{}",
                                              first_compiler_error(main.message), main.message));
  return main;
}

/// Units in the order of their first statement, so that equal requests make equal programs.
void sort_built(std::vector<Built>& built) {
  std::sort(built.begin(), built.end(), [](const Built& a, const Built& b) { return a.members < b.members; });
}

CompileOutcome link_built(StubCompiler& compiler, const CompileOutcome& main, const std::vector<Built>& built) {
  std::vector<CompileOutcome> objects = {main};
  for (const Built& unit : built) objects.push_back(unit.object);
  return compiler.link(objects);
}

/// Links; statements that the linker complains about are taken out until it is content.
CompileOutcome link_without_culprits(StubCompiler& compiler, const CompileOutcome& main, UnitBuilder& builder) {
  while (true) {
    sort_built(builder.built());
    CompileOutcome program = link_built(compiler, main, builder.built());
    if (program.ok() || builder.built().empty()) return program;
    Members all;
    for (const Built& unit : builder.built()) all.insert(all.end(), unit.members.begin(), unit.members.end());
    Members culprits = unlinked_of(program.message, all);
    if (culprits.empty() && all.size() > 1)
      throw Error(ErrorKind::kTool,
                  fmt::format("cannot link the stub: {}\n{}", first_compiler_error(program.message), program.message));
    if (culprits.empty()) culprits = all;
    for (const size_t culprit : culprits) builder.fail(culprit, program.message);
    std::vector<Built> before;
    before.swap(builder.built());
    for (Built& unit : before) {
      const Members rest = without(unit.members, culprits);
      if (rest.size() == unit.members.size())
        builder.built().push_back(std::move(unit));
      else
        builder.build(rest);
    }
  }
}

}  // namespace

BuildOutcome build_stub(std::span<const TimerArgs> statements, const StubPlan& plan, const Toolchain& toolchain,
                        BuildCache& cache, const BuildOptions& options) {
  StubCompiler compiler(toolchain, cache, options.cancelled);
  compiler.prepare(make_stub_prelude(plan.torch), options.on_progress);
  const CompileOutcome main = compile_main(compiler, plan.torch);

  UnitBuilder builder(statements, compiler);
  run_parallel(plan.units.size(), options.jobs, [&](size_t i) { builder.build(plan.units[i]); });
  const CompileOutcome program = link_without_culprits(compiler, main, builder);

  BuildOutcome outcome;
  outcome.failures = std::move(builder.failures());
  std::sort(outcome.failures.begin(), outcome.failures.end(),
            [](const BuildFailure& a, const BuildFailure& b) { return a.statement < b.statement; });
  outcome.compiled = builder.compiled();
  for (const Built& unit : builder.built())
    for (const size_t member : unit.members) outcome.objects[member] = unit.object.file;
  for (const Built& unit : builder.built())
    outcome.statements.insert(outcome.statements.end(), unit.members.begin(), unit.members.end());
  std::sort(outcome.statements.begin(), outcome.statements.end());
  if (outcome.statements.empty()) return outcome;
  outcome.executable = program.file;
  outcome.key = program.key;
  return outcome;
}

std::filesystem::path build_server_program(const Toolchain& toolchain, BuildCache& cache, const BuildOptions& options) {
  StubCompiler compiler(toolchain, cache, options.cancelled);
  const CompileOutcome main = compile_main(compiler, toolchain.torch.has_value());
  const CompileOutcome program = compiler.link(std::span(&main, 1));
  if (!program.ok())
    throw Error(ErrorKind::kTool, fmt::format("cannot link the stub server: {}\n{}",
                                              first_compiler_error(program.message), program.message));
  return program.file;
}

}  // namespace icount
