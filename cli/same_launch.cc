#include "icount/cli/same_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/elf_file.h"
#include "icount/harness/statement_needs.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/kernels/kernel_files.h"

namespace icount {
namespace {

/// Words, each with the "::" in it, and single characters; blanks left out.
std::vector<std::string_view> tokens_of(std::string_view text) {
  const auto is_word = [&](size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text.substr(at, 2) == "::" ||
           (at > 0 && text.substr(at - 1, 2) == "::");
  };
  std::vector<std::string_view> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (is_word(at) && end < text.size() && is_word(end)) ++end;
    if (!std::isspace(static_cast<unsigned char>(text[at]))) tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

bool stands(const std::vector<std::string_view>& tokens, size_t at, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (at + i >= tokens.size() || tokens[at + i] != text.substr(i, 1)) return false;
  return true;
}

/// Of a launch "<<<...>>>(...)" at `at`; nullopt for any other text, and where commas may be no ends of arguments.
std::optional<size_t> count_arguments(const std::vector<std::string_view>& tokens, size_t at) {
  if (!stands(tokens, at, "<<<")) return std::nullopt;
  while (at < tokens.size() && !stands(tokens, at, ">>>")) ++at;
  at += 3;
  if (!stands(tokens, at, "(")) return std::nullopt;
  size_t count = 0, depth = 1;
  for (++at; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at];
    if (token == "<" || token == "\"" || token == "'") return std::nullopt;
    if (count == 0 && depth == 1 && token != ")") count = 1;
    if (token == "," && depth == 1) ++count;
    if (token == "(" || token == "[" || token == "{") ++depth;
    if (token == ")" || token == "]" || token == "}") --depth;
    if (depth == 0) return count;
  }
  return std::nullopt;
}

/// Whether the set-up may give the name another meaning, or the kernel attributes: it has it elsewhere than where the
/// kernel is defined.
bool is_used_before(const TimerArgs& args, std::string_view name) {
  const std::vector<std::string_view> setup = tokens_of(args.setup), global = tokens_of(args.global_setup);
  if (std::find(setup.begin(), setup.end(), name) != setup.end()) return true;
  const auto first = std::find(global.begin(), global.end(), name);
  if (first == global.end()) return false;
  return first == global.begin() || *std::prev(first) != "void" ||
         std::find(first + 1, global.end(), name) != global.end();
}

/// The file's only kernel of that name, alone among its kernels.
Cubin lone_kernel(const std::filesystem::path& file, const std::string& name, const KernelFilesOptions& options) {
  std::vector<Cubin> cubins = load_cubins(file, options);
  Cubin& cubin = cubins.front();
  const auto is_other = [&](const KernelCode& one) {
    return one.is_entry && !demangle(one.name).starts_with(name + "(");
  };
  std::erase_if(cubin.functions, is_other);
  const auto kernels =
      std::count_if(cubin.functions.begin(), cubin.functions.end(), [](const KernelCode& one) { return one.is_entry; });
  if (cubins.size() != 1 || kernels != 1)
    throw Error(ErrorKind::kCannotJudge, fmt::format("there is not one kernel `{}`, but {}", name, kernels));
  return std::move(cubin);
}

std::string signature_of(const Cubin& cubin) {
  for (const KernelCode& one : cubin.functions)
    if (one.is_entry) {
      const std::string name = demangle(one.name);
      return name.substr(name.find('('));
    }
  return {};
}

}  // namespace

std::optional<RenamedLaunch> find_renamed_launch(const TimerArgs& base, const TimerArgs& head) {
  const std::vector<std::string_view> of_base = tokens_of(base.stmt), of_head = tokens_of(head.stmt);
  if (of_base.size() != of_head.size()) return std::nullopt;
  std::optional<RenamedLaunch> found;
  for (size_t i = 0; i < of_base.size(); ++i) {
    if (of_base[i] == of_head[i]) continue;
    const std::optional<size_t> arguments = count_arguments(of_base, i + 1);
    if (!arguments) return std::nullopt;
    if (!found) found = {std::string(of_base[i]), std::string(of_head[i]), *arguments};
    if (found->base != of_base[i] || found->head != of_head[i] || found->arguments != *arguments) return std::nullopt;
  }
  if (found && (is_used_before(base, found->base) || is_used_before(base, found->head))) return std::nullopt;
  return found;
}

LaunchProof compare_launches(const TimerArgs& base, const TimerArgs& head, const CudaStubOptions& options,
                             const CommandContext& context) {
  const auto launch = find_renamed_launch(base, head);
  if (!launch || names_libtorch(base) || names_libtorch(head))
    return {false, "the statements differ in more than the name of a kernel that they launch"};
  try {
    const ScratchDir base_folder, head_folder;
    KernelFilesOptions files;
    files.environment = context.environment;
    files.cancelled = context.cancelled;
    std::vector<Cubin> of_base, of_head;
    of_base.push_back(lone_kernel(build_cuda_cubin(base, options, base_folder.path()), launch->base, files));
    of_head.push_back(lone_kernel(build_cuda_cubin(head, options, head_folder.path()), launch->head, files));
    if (signature_of(of_base[0]) != signature_of(of_head[0]))
      return {false, fmt::format("`{}` and `{}` have other parameters", launch->base, launch->head)};
    const KernelPair pair =
        compare_kernels(of_base, of_head,
                        {.pair_lone = true, .environment = context.environment, .cancelled = context.cancelled})
            .pairs.at(0);
    const std::string names = fmt::format("`{}` and `{}`", launch->base, launch->head);
    for (const KernelCode& one : of_base[0].functions)
      if (one.is_entry && one.parameters.size() != launch->arguments)
        return {false, fmt::format("{} have parameters that the statement leaves to their defaults", names)};
    if (pair.state == KernelState::kSame && !pair.renamed)
      return {true, fmt::format("{} have the same machine code for {}, and are launched alike", names, pair.arch)};
    return {false, pair.reasons.empty() ? fmt::format("{} have other registers or blocks in another order", names)
                                        : fmt::format("{} differ: {}", names, pair.reasons.front())};
  } catch (const Error& error) {
    if (context.cancelled && context.cancelled()) throw;
    return {false, error.what()};
  }
}

}  // namespace icount
