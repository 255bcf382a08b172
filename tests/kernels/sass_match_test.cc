// A false "same" would keep a changed kernel from being timed: each test here changes one thing that the machine sees,
// or one that it does not.
#include "icount/kernels/sass_match.h"

#include <gtest/gtest.h>

#include "icount/base/hash.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// Puts a number into the first of these fields that is still free.
void put(SassInstruction& one, std::vector<int>& places, uint64_t number) {
  if (places.empty()) return;
  const int at = places.front();
  places.erase(places.begin());
  (at < 64 ? one.low : one.high) |= number << (at % 64);
}

/// An instruction with the bits that an assembler would give its registers and predicates: "@!P0 IADD3 R1, R2, R3".
SassInstruction assembled(std::string_view line) {
  SassInstruction one;
  if (line.starts_with('@')) {
    one.predicate = line.substr(0, line.find(' '));
    line.remove_prefix(one.predicate.size() + 1);
    one.low |= static_cast<uint64_t>(one.predicate.back() - '0') << 12;
    if (one.predicate[1] == '!') one.low |= uint64_t{1} << 15;
  }
  one.opcode = line.substr(0, line.find(' '));
  for (const char c : line.substr(std::min(line.size(), one.opcode.size())))
    if (c != ' ') one.operands += c;
  one.low |= hash64(one.opcode) & 0xfff;
  std::vector<int> registers = {16, 24, 32, 64}, predicates = {81, 84, 87};
  const std::string_view text = one.operands;
  const auto digits = [&](size_t at) {
    uint64_t value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') value = value * 10 + (text[at++] - '0');
    return value;
  };
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins = i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == 'U';
    if (!begins || text[i + 1] < '0' || text[i + 1] > '9') continue;
    if (text[i] == 'R') put(one, registers, digits(i + 1));
    if (text[i] == 'P') put(one, predicates, digits(i + 1));
  }
  return one;
}

SassCode assembled_all(std::string_view lines) {
  SassCode code;
  for (const std::string_view line : split_lines(lines))
    if (!trim(line).empty()) code.push_back(assembled(trim(line)));
  return code;
}

KernelCode plain_kernel() {
  KernelCode kernel;
  kernel.name = "_Z1kv";
  kernel.parameter_base = 0x210;
  kernel.parameters = {{0, 0, 8}, {1, 8, 4}};
  return kernel;
}

class SassMatchTest : public testing::Test {
 protected:
  SassMatch match(const SassCode& base, const SassCode& head) {
    return match_sass({&base_cubin_, &base_, &base}, {&head_cubin_, &head_, &head});
  }
  SassMatch match(std::string_view base, std::string_view head) {
    return match(assembled_all(base), assembled_all(head));
  }
  SassRelation relation(std::string_view base, std::string_view head) { return match(base, head).relation; }

  Cubin base_cubin_, head_cubin_;
  KernelCode base_ = plain_kernel(), head_ = plain_kernel();
};

constexpr const char* kSum = R"(
  LDG.E R4, desc[UR4][R2.64]
  FADD R4, R4, R6
  IADD3 R8, R8, 0x20, RZ
  ISETP.GE.AND P0, PT, R8, R9, PT
  @!P0 BRA 0x0
  STG.E desc[UR4][R2.64], R4
  EXIT
)";

std::string with(std::string_view text, std::initializer_list<std::pair<const char*, const char*>> changes) {
  std::string changed(text);
  for (const auto& [from, to] : changes) {
    EXPECT_NE(changed.find(from), std::string::npos) << from;
    replace_all(changed, from, to);
  }
  return changed;
}

TEST_F(SassMatchTest, OneToOneRenamingIsTheSame) {
  EXPECT_EQ(relation(kSum, kSum), SassRelation::kSame);
  EXPECT_FALSE(match(kSum, kSum).renamed);
  const SassMatch renamed = match(kSum, with(kSum, {{"R4,", "R5,"}, {", R4", ", R5"}, {"P0", "P3"}}));
  EXPECT_EQ(renamed.relation, SassRelation::kSame) << renamed.reason;
  EXPECT_TRUE(renamed.renamed);
  // Both at once trade places.
  EXPECT_EQ(relation(kSum, with(kSum, {{"R8", "R0"}, {"R9", "R8"}, {"R0", "R9"}})), SassRelation::kSame);
}

TEST_F(SassMatchTest, OneUseOfManyRenamedDiffers) {
  EXPECT_EQ(relation(kSum, with(kSum, {{"R4, R6", "R5, R6"}})), SassRelation::kDiffers);
  EXPECT_EQ(relation(kSum, with(kSum, {{"@!P0", "@!P1"}})), SassRelation::kDiffers);
}

TEST_F(SassMatchTest, TwoRegistersMadeOneDifferInBothDirections) {
  const std::string joined = with(kSum, {{"R9", "R8"}});
  EXPECT_EQ(relation(kSum, joined), SassRelation::kDiffers);
  EXPECT_EQ(relation(joined, kSum), SassRelation::kDiffers);
}

TEST_F(SassMatchTest, NeighboursOfAWideRegisterGoAlong) {
  // R3 is the upper half of R2.64: where the pair becomes R12 and R13, a use of R3 alone has to become one of R13.
  const std::string base = std::string(kSum) + "MOV R10, R3\n";
  const std::string pair = with(base, {{"[R2.64]", "[R12.64]"}});
  EXPECT_EQ(relation(base, pair), SassRelation::kDiffers);
  EXPECT_EQ(relation(base, with(pair, {{"R10, R3", "R10, R13"}})), SassRelation::kSame);
  // 128 bits are four registers, FP64 and .WIDE have two without saying so in their operands.
  EXPECT_EQ(relation("LDG.E.128 R4, desc[UR4][R2.64]\nMOV R9, R7", "LDG.E.128 R12, desc[UR4][R2.64]\nMOV R9, R7"),
            SassRelation::kDiffers);
  EXPECT_EQ(relation("DADD R4, R6, R8\nMOV R0, R5", "DADD R12, R6, R8\nMOV R0, R5"), SassRelation::kDiffers);
  EXPECT_EQ(relation("IMAD.WIDE R4, R6, R7, R8\nMOV R0, R5", "IMAD.WIDE R12, R6, R7, R8\nMOV R0, R5"),
            SassRelation::kDiffers);
  EXPECT_EQ(relation("RET.REL.NODEC R20, 0x0\nMOV R21, R2", "RET.REL.NODEC R24, 0x0\nMOV R21, R2"),
            SassRelation::kDiffers);
  // The addend of .HI has two, its factors have one.
  EXPECT_EQ(relation("IMAD.HI.U32 R9, R10, R11, R4\nMOV R0, R5", "IMAD.HI.U32 R9, R10, R11, R12\nMOV R0, R5"),
            SassRelation::kDiffers);
  EXPECT_EQ(relation("IMAD.HI.U32 R9, R10, R11, RZ\nMOV R0, R12", "IMAD.HI.U32 R9, R10, R20, RZ\nMOV R0, R12"),
            SassRelation::kSame);
  // Vectors say how many values of how many bits they are.
  EXPECT_EQ(relation("REDG.E.ADD.F32x2.RN desc[UR4][R2.64], R8\nMOV R0, R9",
                     "REDG.E.ADD.F32x2.RN desc[UR4][R2.64], R12\nMOV R0, R9"),
            SassRelation::kDiffers);
  EXPECT_EQ(relation("REDG.E.ADD.BF16x8.RN desc[UR4][R2.64], R8\nMOV R0, R11",
                     "REDG.E.ADD.BF16x8.RN desc[UR4][R2.64], R12\nMOV R0, R11"),
            SassRelation::kDiffers);
  EXPECT_EQ(relation("VIMNMX.U16x2 R4, R5, R6, PT\nMOV R0, R7", "VIMNMX.U16x2 R4, R5, R8, PT\nMOV R0, R7"),
            SassRelation::kSame);
  // sm_80's text has no descriptor: which uniform registers it is in is not known.
  EXPECT_EQ(relation("ULDC.64 UR4, c[0x0][0x118]\nLDG.E R4, [R2.64]", "ULDC.64 UR8, c[0x0][0x118]\nLDG.E R4, [R2.64]"),
            SassRelation::kDiffers);
  EXPECT_EQ(relation("ULDC.64 UR4, c[0x0][0x118]\nLDS R4, [R2]", "ULDC.64 UR8, c[0x0][0x118]\nLDS R4, [R2]"),
            SassRelation::kSame);
  EXPECT_EQ(relation("LDC R2, cx[UR4][0x10]\nUMOV UR9, UR5", "LDC R2, cx[UR6][0x10]\nUMOV UR9, UR5"),
            SassRelation::kDiffers);
}

TEST_F(SassMatchTest, AByteOfARegisterIsNoBarrier) {
  EXPECT_EQ(relation("I2F.U8 R3, R4.B1", "I2F.U8 R3, R4.B2"), SassRelation::kDiffers);
  EXPECT_EQ(relation("BSSY B1, 0x20\nBSYNC B1\nEXIT", "BSSY B2, 0x20\nBSYNC B2\nEXIT"), SassRelation::kSame);
}

TEST_F(SassMatchTest, WhichNanItIsCounts) {
  SassCode base = assembled_all("FADD R7, R4, +QNAN"), head = assembled_all("FADD R7, R5, +QNAN");
  EXPECT_EQ(match(base, head).relation, SassRelation::kSame);
  base[0].low |= uint64_t{4} << 32, head[0].low |= uint64_t{5} << 32;  // as the register is renamed
  EXPECT_EQ(match(base, head).relation, SassRelation::kDiffers);
}

TEST_F(SassMatchTest, FixedRegistersAreThemselves) {
  EXPECT_EQ(relation("IADD3 R1, R1, 0x10, RZ", "IADD3 R2, R2, 0x10, RZ"), SassRelation::kDiffers);
  EXPECT_EQ(relation("IADD3 R2, R3, R4, RZ", "IADD3 R2, R3, R4, R5"), SassRelation::kDiffers);
  EXPECT_EQ(relation("ISETP.NE.AND P0, PT, R2, R3, PT", "ISETP.NE.AND P0, P1, R2, R3, PT"), SassRelation::kDiffers);
  EXPECT_EQ(relation("MOV R2, R3", "MOV R2, UR3"), SassRelation::kDiffers);
}

TEST_F(SassMatchTest, InstructionsOfUnknownRegistersKeepAll) {
  const std::string base = "HMMA.16816.F32 R4, R8, R12, R4\nMOV R30, R31\n";
  EXPECT_EQ(relation(base, base), SassRelation::kSame);
  const SassMatch renamed = match(base, with(base, {{"R30", "R40"}}));
  EXPECT_EQ(renamed.relation, SassRelation::kDiffers);
  EXPECT_EQ(renamed.reason, "registers are renamed, and which ones its calls or tensor instructions take is not known");
  EXPECT_EQ(relation("R2P PR, RZ, 0x7f\nISETP.NE.AND P0, PT, R2, R3, PT",
                     "R2P PR, RZ, 0x7f\nISETP.NE.AND P1, PT, R2, R3, PT"),
            SassRelation::kDiffers);
}

TEST_F(SassMatchTest, WhatAnInstructionDoesIsNotRenamed) {
  const std::pair<const char*, const char*> changes[] = {{"0x20", "0x40"},
                                                         {"ISETP.GE", "ISETP.GT"},
                                                         {"LDG.E ", "LDG.E.U8 "},
                                                         {"@!P0", "@P0"},
                                                         {"R4, R4, R6", "R4, R4, -R6"},
                                                         {"[R2.64]", "[R2.64+0x4]"},
                                                         {"0x0\n", "0x10\n"},
                                                         {"FADD", "FMUL"},
                                                         {"R4, R6", "|R4|, R6"}};
  for (const auto& change : changes)
    EXPECT_EQ(relation(kSum, with(kSum, {change})), SassRelation::kDiffers) << change.second;
}

TEST_F(SassMatchTest, TheFirstDifferenceIsSaid) {
  EXPECT_EQ(match(kSum, with(kSum, {{"FADD", "FMUL"}})).reason, "`FADD R4, R4, R6` became `FMUL R4, R4, R6`");
}

TEST_F(SassMatchTest, SchedulingIsToldApart) {
  SassCode head = assembled_all(kSum);
  head[1].high |= uint64_t{5} << (105 - 64);
  const SassMatch match = this->match(assembled_all(kSum), head);
  EXPECT_EQ(match.relation, SassRelation::kRescheduled);
  EXPECT_EQ(match.rescheduled, 1);
  EXPECT_EQ(match.reason,
            "the same instructions; 1 instruction has other stall cycles, barriers or reuse of registers");
  SassCode reuse = assembled_all(with(kSum, {{"R4, R6", "R4.reuse, R6"}}));
  reuse[1].high |= uint64_t{1} << (122 - 64);
  EXPECT_EQ(this->match(assembled_all(kSum), reuse).relation, SassRelation::kRescheduled);
}

TEST_F(SassMatchTest, BitsThatTheTextHidesCount) {
  // Each bit that is neither scheduling nor behind the end.
  for (int bit = 0; bit < 105; ++bit) {
    SassCode head = assembled_all(kSum);
    (bit < 64 ? head[1].low : head[1].high) ^= uint64_t{1} << (bit % 64);
    const SassMatch match = this->match(assembled_all(kSum), head);
    EXPECT_EQ(match.relation, SassRelation::kDiffers) << bit;
    EXPECT_EQ(match.reason, "`FADD R4, R4, R6` is encoded otherwise, in bits that the disassembly does not show")
        << bit;
  }
}

TEST_F(SassMatchTest, ParametersKeepTheirPlaces) {
  EXPECT_EQ(relation("LDC R2, c[0x0][0x210]", "LDC R2, c[0x0][0x218]"), SassRelation::kDiffers);
  EXPECT_EQ(relation("LDC R2, c[0x0][0x28]", "LDC R2, c[0x0][0x2c]"), SassRelation::kDiffers);
  // Another compiler puts them elsewhere.
  head_.parameter_base = 0x380;
  SassCode base = assembled_all("LDC R2, c[0x0][0x218]"), head = assembled_all("LDC R2, c[0x0][0x388]");
  base[0].low |= uint64_t{0x218} << 38, head[0].low |= uint64_t{0x388} << 38;
  EXPECT_EQ(match(base, head).relation, SassRelation::kSame);
  EXPECT_EQ(relation("LDC R2, c[0x0][0x218]", "LDC R2, c[0x0][0x380]"), SassRelation::kDiffers);
  EXPECT_EQ(relation("LDC R2, c[0x0][0x218]", "LDC R2, c[0x0][0x218]"), SassRelation::kDiffers);
}

TEST_F(SassMatchTest, ConstantsAreWhatLiesThere) {
  base_cubin_.constants = {{"table", 0, 16, "abcd"}};
  head_cubin_.constants = {{"first", 0, 8, "x"}, {"table", 8, 16, "abcd"}};
  SassCode base = assembled_all("LDC R2, c[0x3][R4+0x4]"), head = assembled_all("LDC R2, c[0x3][R4+0xc]");
  base[0].low |= uint64_t{0x4} << 38, head[0].low |= uint64_t{0xc} << 38;
  EXPECT_EQ(match(base, head).relation, SassRelation::kSame);
  EXPECT_EQ(match(base, base).relation, SassRelation::kDiffers);  // `first` lies there
  head_cubin_.constants[1].content = "abce";
  const SassMatch match = this->match(base, head);
  EXPECT_EQ(match.relation, SassRelation::kDiffers);
  EXPECT_EQ(match.reason, "`table` has another size, or holds other values at first");
  // sm_100 has the place a bit lower in some instructions, and writes none as a register of zero.
  head_cubin_.constants = {{"first", 0, 8, "x"}, {"table", 8, 16, "abcd"}};
  base = assembled_all("LDCU UR2, c[0x3][URZ]"), head = assembled_all("LDCU UR2, c[0x3][0x8]");
  head[0].low |= uint64_t{0x8} << 37;
  EXPECT_EQ(this->match(base, head).relation, SassRelation::kSame);
  head[0].low ^= uint64_t{0x20} << 37;
  EXPECT_EQ(this->match(base, head).relation, SassRelation::kDiffers);
  base = assembled_all("LDC R2, c[0x3][R4+0x4]"), head = assembled_all("LDC R2, c[0x3][R4+0xc]");
  base[0].low |= uint64_t{0x4} << 38, head[0].low |= uint64_t{0xc} << 38;
  // Another name for it, where neither side has both.
  head_cubin_.constants[1] = {"lut", 8, 16, "abcd"};
  EXPECT_EQ(this->match(base, head).relation, SassRelation::kSame);
  head_cubin_.constants.push_back({"table", 24, 16, "abcd"});
  EXPECT_EQ(this->match(base, head).relation, SassRelation::kDiffers);
}

TEST_F(SassMatchTest, AnIndexMayReachOtherConstants) {
  // The register may hold 16, the place of `second`: another variable lies there now.
  const char* const kCode = "LDC R2, c[0x3][R4]";
  base_cubin_.constants = {{"first", 0, 16, "a"}, {"second", 16, 16, "b"}};
  head_cubin_.constants = {{"first", 0, 16, "a"}, {"third", 16, 16, "c"}, {"second", 32, 16, "b"}};
  EXPECT_EQ(match(kCode, kCode).reason, "variables around `first` in constant memory lie otherwise, and it is indexed");
  EXPECT_EQ(relation("LDC R2, c[0x3][0x4]", "LDC R2, c[0x3][0x4]"), SassRelation::kSame);
  // 64 bits that begin in one variable and end in the next.
  EXPECT_EQ(relation("LDC.64 R2, c[0x3][0xc]", "LDC.64 R2, c[0x3][0xc]"), SassRelation::kDiffers);
  EXPECT_EQ(relation("LDC.64 R2, c[0x3][0x8]", "LDC.64 R2, c[0x3][0x8]"), SassRelation::kSame);
  head_cubin_.constants = {{"first", 0, 16, "a"}, {"second", 16, 16, "b"}, {"third", 32, 16, "c"}};
  EXPECT_EQ(relation(kCode, kCode), SassRelation::kSame);
}

TEST_F(SassMatchTest, PointersAndReferencesAreByName) {
  const char* const kCode = "LDC.64 R2, c[0x4][0x8]\nEXIT";
  base_cubin_.globals = head_cubin_.globals = {{"counter", 0, 4, ""}, {"spare", 4, 4, ""}};
  base_cubin_.pointers = {{8, {8, 2, "counter", 0}}};
  head_cubin_.pointers = {{8, {8, 2, "counter", 0}}};
  EXPECT_EQ(relation(kCode, kCode), SassRelation::kSame);
  head_cubin_.pointers = {{8, {8, 2, "spare", 0}}};
  EXPECT_EQ(relation(kCode, kCode), SassRelation::kDiffers);
  base_.references = head_.references = {{0, 0x38, "counter", 0}};
  EXPECT_EQ(relation("MOV R2, 32@lo(counter)", "MOV R2, 32@lo(counter)"), SassRelation::kSame);
  head_.references[0].symbol = "spare";
  EXPECT_EQ(relation("MOV R2, 32@lo(counter)", "MOV R2, 32@lo(spare)"), SassRelation::kDiffers);
  head_.references[0] = {0, 0x38, "counter", 4};
  EXPECT_EQ(relation("MOV R2, 32@lo(counter)", "MOV R2, 32@lo(counter)"), SassRelation::kDiffers);
}

TEST_F(SassMatchTest, LiteralsOfTheCompilerCount) {
  head_.literals = "another";
  EXPECT_EQ(relation(kSum, kSum), SassRelation::kDiffers);
}

TEST_F(SassMatchTest, ACallOfAFunctionKeepsRegistersAndNamesIt) {
  for (Cubin* cubin : {&base_cubin_, &head_cubin_}) {
    KernelCode& helper = cubin->functions.emplace_back();
    helper.name = "_Z6helperf";
    helper.is_entry = false;
  }
  base_.references = head_.references = {{0, 0x4b, "_Z6helperf", 0}};
  const std::string base = "CALL.ABS.NOINC _Z6helperf\nMOV R30, R31\nEXIT";
  const SassMatch match = this->match(base, base);
  EXPECT_EQ(match.relation, SassRelation::kSame);
  ASSERT_EQ(match.callees.size(), 1u);  // to be compared as well
  EXPECT_EQ(match.callees[0].second, "_Z6helperf");
  EXPECT_EQ(relation(base, with(base, {{"R30", "R40"}})), SassRelation::kDiffers);
  // One that another object defines.
  base_cubin_.functions.clear(), head_cubin_.functions.clear();
  EXPECT_EQ(relation(base, base), SassRelation::kSame);
  EXPECT_EQ(relation(base, with(base, {{"R30", "R40"}})), SassRelation::kDiffers);
  EXPECT_TRUE(this->match("CALL.ABS.NOINC R20\nEXIT", "CALL.ABS.NOINC R20\nEXIT").calls_by_address);
}

TEST_F(SassMatchTest, BlocksInAnotherOrderAreMoved) {
  const char* const kBase = R"(
    ISETP.NE.AND P0, PT, R2, R3, PT
    @P0 BRA 0x40
    FADD R4, R4, R6
    BRA 0x50
    FMUL R4, R4, R6
    STG.E desc[UR4][R2.64], R4
    EXIT)";
  const char* const kHead = R"(
    ISETP.NE.AND P0, PT, R2, R3, PT
    @!P0 BRA 0x40
    FMUL R4, R4, R6
    BRA 0x50
    FADD R4, R4, R6
    STG.E desc[UR4][R2.64], R4
    EXIT)";
  const SassMatch moved = match(kBase, kHead);
  EXPECT_EQ(moved.relation, SassRelation::kMoved) << moved.reason;
  // The same order of blocks under the other condition is other work.
  EXPECT_EQ(relation(kBase, with(kHead, {{"@!P0", "@P0"}})), SassRelation::kDiffers);
  EXPECT_EQ(relation(kBase, with(kHead, {{"FMUL", "FADD"}})), SassRelation::kDiffers);
  // A second predicate is not turned round with the first.
  EXPECT_EQ(relation(with(kBase, {{"BRA 0x40", "BRA P1, 0x40"}}), with(kHead, {{"BRA 0x40", "BRA P1, 0x40"}})),
            SassRelation::kDiffers);
  // Of a jump the bits that are its distance may differ, in words: of sm_90 the lower ones stand apart.
  SassCode far = assembled_all(kHead);
  far[1].low |= uint64_t{8} << 34;
  far[3].low |= uint64_t{4} << 16;
  EXPECT_EQ(match(assembled_all(kHead), far).relation, SassRelation::kDiffers);  // one says it in another way
  SassCode base_far = assembled_all(kBase);
  base_far[1].low |= uint64_t{8} << 34;
  base_far[3].low |= uint64_t{4} << 16;
  EXPECT_EQ(match(base_far, far).relation, SassRelation::kMoved);
  for (const size_t jump : {1, 3})
    for (const int bit : {17, 28, 40}) {
      SassCode hidden = far;
      hidden[jump].low ^= uint64_t{1} << bit;
      EXPECT_EQ(match(base_far, hidden).relation, SassRelation::kDiffers) << jump << " " << bit;
    }
  EXPECT_EQ(
      relation(with(kBase, {{"@P0 BRA 0x40", "BSSY B0, 0x40"}}), with(kBase, {{"@P0 BRA 0x40", "BSSY B0, 0x44"}})),
      SassRelation::kDiffers);
  // Two blocks that became one are not the same blocks.
  EXPECT_EQ(
      relation("@P0 BRA 0x30\nFADD R4, R4, R6\nEXIT\nFADD R4, R4, R6\nEXIT", "@P0 BRA 0x10\nFADD R4, R4, R6\nEXIT"),
      SassRelation::kDiffers);
}

TEST_F(SassMatchTest, ThePaddingBehindTheEndIsNothing) {
  EXPECT_EQ(relation(std::string(kSum) + "BRA 0x70\nNOP\nNOP", kSum), SassRelation::kSame);
  EXPECT_EQ(relation(std::string(kSum) + "FADD R4, R4, R6", kSum), SassRelation::kDiffers);
}

}  // namespace
}  // namespace icount
