#include "icount/kernels/sass.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

using Labels = std::map<std::string, uint64_t, std::less<>>;

/// "@!P0 BRA `(.L_x_1)" of "        /*0020*/              @!P0 BRA `(.L_x_1) ;", without what nvdisasm remarks in
/// "(*...*)"; empty for a line of another kind.
std::string_view instruction_text(std::string_view line) {
  line = trim(line);
  const size_t behind = line.find("*/");
  if (!line.starts_with("/*") || behind == std::string_view::npos || !line.ends_with(';')) return {};
  line = trim(line.substr(behind + 2, line.size() - behind - 3));
  return trim(line.substr(0, line.find("(*")));
}

SassInstruction split_instruction(std::string_view text) {
  SassInstruction one;
  if (text.starts_with('@')) {
    one.predicate = text.substr(0, text.find(' '));
    text = trim(text.substr(one.predicate.size()));
  }
  one.opcode = text.substr(0, text.find(' '));
  text = trim(text.substr(one.opcode.size()));
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != ' ' || text[i - 1] != ',') one.operands += text[i];
  return one;
}

/// "`(.L_x_1)" becomes "0x230": labels are numbered through the whole file.
void place_labels(std::string& operands, const Labels& labels) {
  for (size_t at = operands.find("`("); at != std::string::npos; at = operands.find("`(", at + 1)) {
    const size_t end = operands.find(')', at);
    if (end == std::string::npos) return;
    const auto label = labels.find(std::string_view(operands).substr(at + 2, end - at - 2));
    if (label != labels.end()) operands.replace(at, end + 1 - at, fmt::format("0x{:x}", label->second));
  }
}

std::string_view stem_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

/// Folders named `name` below python's site-packages: nvidia/cu13/bin, nvidia/cuda_nvdisasm/bin.
void add_python_folders(const fs::path& root, std::vector<fs::path>& folders) {
  for (const fs::path& python : folder_entries(root / "lib"))
    for (const fs::path& package : folder_entries(python / "site-packages" / "nvidia"))
      folders.push_back(package / "bin");
}

std::string spaced(std::string_view operands) {
  std::string text;
  for (const char c : operands) {
    text += c;
    if (c == ',') text += ' ';
  }
  return text;
}

std::optional<uint64_t> parse_target(std::string_view operands) {
  const size_t at = operands.rfind(',');
  std::string_view text = trim(at == std::string_view::npos ? operands : operands.substr(at + 1));
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size() || value % kSassBytes != 0) return std::nullopt;
  return value;
}

struct Stem {
  std::string_view name;
  SassClass kind;
};

// The first row that the opcode begins with counts.
constexpr Stem kStems[] = {
    {"LDGSTS", SassClass::kGlobal},     {"LDGDEPBAR", SassClass::kControl}, {"LDG", SassClass::kGlobal},
    {"STG", SassClass::kGlobal},        {"ATOMG", SassClass::kGlobal},      {"RED", SassClass::kGlobal},
    {"LDS", SassClass::kShared},        {"STS", SassClass::kShared},        {"ATOMS", SassClass::kShared},
    {"STAS", SassClass::kShared},       {"LDL", SassClass::kLocal},         {"STL", SassClass::kLocal},
    {"LDC", SassClass::kConstant},      {"ULDC", SassClass::kConstant},     {"LDTM", SassClass::kTensor},
    {"STTM", SassClass::kTensor},       {"LD", SassClass::kGlobal},         {"STP", SassClass::kControl},
    {"ST", SassClass::kGlobal},         {"ATOM", SassClass::kGlobal},       {"TEX", SassClass::kGlobal},
    {"TLD", SassClass::kGlobal},        {"TXQ", SassClass::kGlobal},        {"TMML", SassClass::kGlobal},
    {"SULD", SassClass::kGlobal},       {"SUST", SassClass::kGlobal},       {"SUATOM", SassClass::kGlobal},
    {"SURED", SassClass::kGlobal},      {"UBLKCP", SassClass::kGlobal},     {"UTMALDG", SassClass::kGlobal},
    {"UTMASTG", SassClass::kGlobal},    {"UTMAREDG", SassClass::kGlobal},   {"HMMA", SassClass::kTensor},
    {"IMMA", SassClass::kTensor},       {"DMMA", SassClass::kTensor},       {"BMMA", SassClass::kTensor},
    {"QMMA", SassClass::kTensor},       {"OMMA", SassClass::kTensor},       {"HGMMA", SassClass::kTensor},
    {"IGMMA", SassClass::kTensor},      {"QGMMA", SassClass::kTensor},      {"BGMMA", SassClass::kTensor},
    {"UTCHMMA", SassClass::kTensor},    {"UTCIMMA", SassClass::kTensor},    {"UTCQMMA", SassClass::kTensor},
    {"UTCOMMA", SassClass::kTensor},    {"WARPGROUP", SassClass::kTensor},  {"FADD", SassClass::kFloat},
    {"FMUL", SassClass::kFloat},        {"FFMA", SassClass::kFloat},        {"FMNMX", SassClass::kFloat},
    {"FSETP", SassClass::kFloat},       {"FSET", SassClass::kFloat},        {"FSEL", SassClass::kFloat},
    {"FCHK", SassClass::kFloat},        {"FSWZADD", SassClass::kFloat},     {"MUFU", SassClass::kFloat},
    {"DADD", SassClass::kFloat},        {"DMUL", SassClass::kFloat},        {"DFMA", SassClass::kFloat},
    {"DSETP", SassClass::kFloat},       {"DMNMX", SassClass::kFloat},       {"HADD2", SassClass::kFloat},
    {"HMUL2", SassClass::kFloat},       {"HFMA2", SassClass::kFloat},       {"HSET", SassClass::kFloat},
    {"HMNMX2", SassClass::kFloat},      {"UFADD", SassClass::kFloat},       {"UFMUL", SassClass::kFloat},
    {"UFFMA", SassClass::kFloat},       {"UFSETP", SassClass::kFloat},      {"F2", SassClass::kConversion},
    {"I2", SassClass::kConversion},     {"FRND", SassClass::kConversion},   {"UI2F", SassClass::kConversion},
    {"UF2", SassClass::kConversion},    {"BRA", SassClass::kControl},       {"BRX", SassClass::kControl},
    {"JM", SassClass::kControl},        {"CALL", SassClass::kControl},      {"RET", SassClass::kControl},
    {"EXIT", SassClass::kControl},      {"BSSY", SassClass::kControl},      {"BSYNC", SassClass::kControl},
    {"BREAK", SassClass::kControl},     {"BMOV", SassClass::kControl},      {"BPT", SassClass::kControl},
    {"BAR", SassClass::kControl},       {"B2R", SassClass::kControl},       {"WARPSYNC", SassClass::kControl},
    {"YIELD", SassClass::kControl},     {"NANOSLEEP", SassClass::kControl}, {"NOP", SassClass::kControl},
    {"DEPBAR", SassClass::kControl},    {"MEMBAR", SassClass::kControl},    {"ERRBAR", SassClass::kControl},
    {"CGAERRBAR", SassClass::kControl}, {"SYNCS", SassClass::kControl},     {"ARRIVES", SassClass::kControl},
    {"UCGABAR", SassClass::kControl},   {"FENCE", SassClass::kControl},     {"KILL", SassClass::kControl},
    {"CCTL", SassClass::kOther},        {"S2", SassClass::kOther},          {"CS2", SassClass::kOther},
    {"SHFL", SassClass::kOther},        {"VOTE", SassClass::kOther},        {"MATCH", SassClass::kOther},
    {"REDUX", SassClass::kOther},       {"IADD", SassClass::kInteger},      {"IMAD", SassClass::kInteger},
    {"IMUL", SassClass::kInteger},      {"IABS", SassClass::kInteger},      {"IDP", SassClass::kInteger},
    {"IMNMX", SassClass::kInteger},     {"ISETP", SassClass::kInteger},     {"LEA", SassClass::kInteger},
    {"LOP", SassClass::kInteger},       {"SHF", SassClass::kInteger},       {"SHL", SassClass::kInteger},
    {"SHR", SassClass::kInteger},       {"SEL", SassClass::kInteger},       {"SGXT", SassClass::kInteger},
    {"PRMT", SassClass::kInteger},      {"POPC", SassClass::kInteger},      {"FLO", SassClass::kInteger},
    {"BREV", SassClass::kInteger},      {"BMSK", SassClass::kInteger},      {"MOV", SassClass::kInteger},
    {"VI", SassClass::kInteger},        {"VABSDIFF", SassClass::kInteger},  {"PLOP3", SassClass::kInteger},
    {"P2R", SassClass::kInteger},       {"R2P", SassClass::kInteger},       {"R2UR", SassClass::kInteger},
};

}  // namespace

std::string SassInstruction::text() const {
  return fmt::format("{}{}{}{}{}", predicate, predicate.empty() ? "" : " ", opcode, operands.empty() ? "" : " ",
                     spaced(operands));
}

fs::path find_cuda_tool(std::string_view program, const Environment& environment) {
  std::vector<fs::path> folders;
  if (const auto named = environment.get("ICOUNT_CUDA_TOOLS")) folders.emplace_back(*named);
  const std::string path = environment.get("PATH").value_or("");
  for (const std::string_view folder : split(path, ':'))
    if (!folder.empty()) folders.emplace_back(folder);
  if (const auto home = environment.get("CUDA_HOME")) folders.push_back(fs::path(*home) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  if (const auto python = environment.get("VIRTUAL_ENV")) add_python_folders(*python, folders);
  for (const fs::path& folder : folders)
    if (const fs::path found = find_program((folder / program).string()); !found.empty()) return found;
  return {};
}

fs::path need_cuda_tool(std::string_view program, std::string_view purpose, const Environment& environment) {
  fs::path found = find_cuda_tool(program, environment);
  if (found.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("{} is needed to {}, and is not installed; install the CUDA Toolkit or `pip install "
                            "nvidia-cuda-{}`, and name its folder in ICOUNT_CUDA_TOOLS if it is not in PATH",
                            program, purpose, program));
  return found;
}

std::map<std::string, SassCode> parse_nvdisasm(std::string_view text, const Cubin& cubin) {
  std::map<std::string, SassCode> result;
  const KernelCode* kernel = nullptr;
  Labels labels;
  const auto finish = [&] {
    if (!kernel) return;
    SassCode& code = result[kernel->name];
    if (code.size() * kSassBytes != kernel->code.size())
      throw Error(ErrorKind::kMalformed,
                  fmt::format("{}: {} has {} bytes of code, but nvdisasm lists {} instructions of {} bytes", cubin.name,
                              kernel->name, kernel->code.size(), code.size(), kSassBytes));
    for (SassInstruction& one : code) place_labels(one.operands, labels);
    labels.clear();
  };
  for (const std::string_view line : split_lines(text)) {
    constexpr std::string_view kSection = "\t.section\t";
    if (line.starts_with(kSection)) {
      finish();
      std::string_view name = line.substr(kSection.size());
      name = name.substr(0, name.find(','));
      kernel = name.starts_with(".text.") ? cubin.find(name.substr(6)) : nullptr;
      if (kernel) result[kernel->name].reserve(kernel->code.size() / kSassBytes);
      continue;
    }
    if (!kernel) continue;
    SassCode& code = result[kernel->name];
    if (!line.starts_with(' ') && line.ends_with(':')) {
      labels.emplace(line.substr(0, line.size() - 1), code.size() * kSassBytes);
      continue;
    }
    const std::string_view instruction = instruction_text(line);
    if (instruction.empty() || (code.size() + 1) * kSassBytes > kernel->code.size()) continue;
    SassInstruction& one = code.emplace_back(split_instruction(instruction));
    const char* bits = kernel->code.data() + (code.size() - 1) * kSassBytes;
    std::memcpy(&one.low, bits, sizeof(one.low));
    std::memcpy(&one.high, bits + sizeof(one.low), sizeof(one.high));
  }
  finish();
  return result;
}

std::map<std::string, SassCode> run_nvdisasm(const Cubin& cubin, std::span<const KernelCode* const> functions,
                                             const Environment& environment, const std::function<bool()>& cancelled) {
  const fs::path program = need_cuda_tool("nvdisasm", "look into kernels whose bytes differ", environment);
  const ScratchDir scratch;
  const fs::path file = scratch.path() / "code.cubin";
  save_file(file, cubin.bytes.view());
  std::map<std::string, SassCode> result;
  // Each start reads the whole file; what it lists takes some ten times as much memory as the code.
  constexpr size_t kBytesAtOnce = size_t{16} << 20;
  constexpr size_t kMostAtOnce = 10'000;  // an argument has an end
  for (size_t begin = 0; begin < functions.size();) {
    std::string numbers;
    size_t bytes = 0, end = begin;
    for (; end < functions.size() && bytes < kBytesAtOnce && end - begin < kMostAtOnce; ++end) {
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", functions[end]->symbol);
      bytes += functions[end]->code.size();
    }
    ProcessSpec spec;
    spec.argv = {program.string(), "-c", "-fun", numbers, file.string()};
    spec.environment = environment.block();
    spec.max_output_bytes = size_t{1} << 30;
    spec.cancelled = cancelled;
    const ProcessOutcome outcome = run_process(spec);
    if (!outcome.ok())
      throw Error(ErrorKind::kTool, fmt::format("{} of {} failed ({}): {}", program.string(), cubin.name,
                                                describe_end(outcome), last_line(outcome.errors)));
    result.merge(parse_nvdisasm(outcome.output, cubin));
    for (size_t i = begin; i < end; ++i)
      if (!result.contains(functions[i]->name))
        throw Error(ErrorKind::kTool, fmt::format("{} of {} does not list {}, which lies in it", program.string(),
                                                  cubin.name, functions[i]->name));
    begin = end;
  }
  return result;
}

std::string_view to_text(SassClass kind) {
  switch (kind) {
    case SassClass::kGlobal:
      return "global memory";
    case SassClass::kShared:
      return "shared memory";
    case SassClass::kLocal:
      return "local memory";
    case SassClass::kConstant:
      return "constant memory";
    case SassClass::kFloat:
      return "floating point";
    case SassClass::kTensor:
      return "tensor";
    case SassClass::kInteger:
      return "integer";
    case SassClass::kConversion:
      return "conversion";
    case SassClass::kControl:
      return "control";
    case SassClass::kOther:
      return "other";
  }
  return {};
}

SassClass class_of(const SassInstruction& instruction) {
  std::string_view opcode = instruction.opcode;
  for (int twice = 0; twice < 2; ++twice) {
    for (const Stem& stem : kStems)
      if (opcode.starts_with(stem.name)) return stem.kind;
    if (!opcode.starts_with('U')) break;  // UIADD3 is what IADD3 is
    opcode.remove_prefix(1);
  }
  return SassClass::kOther;
}

size_t length_without_padding(const SassCode& code) {
  size_t end = code.size();
  while (end > 0 && code[end - 1].opcode == "NOP") --end;
  if (end > 1) {
    const SassFlow flow = flow_of(code[end - 1]);
    if (flow.kind == SassFlow::Kind::kJump && flow.target == (end - 1) * kSassBytes) --end;
  }
  return end;
}

size_t length_without_padding(const KernelCode& kernel) {
  constexpr uint64_t kOpcodeMask = 0xfff, kNop = 0x918, kBranch = 0x947;
  const auto opcode_before = [&](size_t end) {
    uint64_t low = 0;
    std::memcpy(&low, kernel.code.data() + (end - 1) * kSassBytes, sizeof(low));
    return low & kOpcodeMask;
  };
  size_t end = kernel.code.size() / kSassBytes;
  while (end > 0 && opcode_before(end) == kNop) --end;
  return end > 1 && opcode_before(end) == kBranch ? end - 1 : end;
}

SassFlow flow_of(const SassInstruction& instruction) {
  using Kind = SassFlow::Kind;
  const std::string_view stem = stem_of(instruction.opcode);
  const bool always = instruction.predicate.empty();
  const auto target = parse_target(instruction.operands);
  const bool plain = target && instruction.operands.find(',') == std::string::npos;
  if (stem == "EXIT" || stem == "RET" || stem == "KILL") {
    const bool depends = !always || instruction.operands.starts_with('P') || instruction.operands.starts_with('!');
    return {depends ? Kind::kNone : Kind::kEnd, 0};
  }
  if (stem == "BRA" || stem == "JMP") {
    if (!target) return {Kind::kUnknown, 0};
    return {always && plain && instruction.opcode == "BRA" ? Kind::kJump : Kind::kBranch, *target};
  }
  if (stem == "BRX" || stem == "JMX" || stem == "JMXU" || stem == "BRXU") return {Kind::kUnknown, 0};
  if ((stem == "BSSY" || stem == "WARPSYNC" || stem == "CALL") && target) return {Kind::kLabel, *target};
  return {Kind::kNone, 0};
}

std::vector<SassLoop> find_sass_loops(const Cubin& cubin, const KernelCode& kernel, const SassCode& code) {
  std::map<size_t, size_t> last_of;  // by first
  const size_t end = length_without_padding(code);
  for (size_t i = 0; i < end; ++i) {
    const SassFlow flow = flow_of(code[i]);
    if (flow.kind != SassFlow::Kind::kJump && flow.kind != SassFlow::Kind::kBranch) continue;
    const size_t target = flow.target / kSassBytes;
    if (target <= i) last_of[target] = std::max(last_of[target], i);
  }
  std::vector<SassLoop> loops;
  for (const auto& [first, last] : last_of) {
    SassLoop& loop = loops.emplace_back();
    loop.first = first, loop.last = last;
    if (const SourceLine* line = line_at(cubin, kernel, last * kSassBytes)) loop.place = *line;
    for (const SassLoop& outer : loops)
      if (outer.first < first && outer.last >= last) ++loop.depth;
  }
  return loops;
}

}  // namespace icount
