// `icount kernels` on two cubins that nvcc made of base.cu and head.cu (tests/testdata/kernels.tar.xz). A stand-in for
// nvdisasm prints what nvdisasm printed, so that no CUDA Toolkit is needed.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/cli/cli.h"
#include "icount/gate/base_build.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/kernels/kernel_files.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class KernelsCommandTest : public testing::Test {
 protected:
  KernelsCommandTest() {
    const fs::path tool = scratch_.path() / "nvdisasm";
    save_file(tool, "#!/bin/sh\nfor file; do :; done\nsize=$(wc -c < \"$file\")\ncat \"" + data_ + "/$size.txt\"\n");
    fs::permissions(tool, fs::perms::owner_all);
  }

  ExitCode run(std::vector<std::string> words, const char* command = "kernels") {
    out_.str("");
    err_.str("");
    words.insert(words.begin(), command);
    CommandContext context{out_, err_, {}, {}, environment_, {}, words};
    return run_icount(context);
  }
  /// At its commit the suite's build makes base.cubin of lib.cubin, in the working tree head.cubin.
  fs::path make_repository() {
    const fs::path repository = scratch_.path() / "repository";
    fs::create_directory(repository);
    save_file(repository / "suite.toml", "build = \"" + build_ + "\"\n" + table_);
    ProcessSpec git;
    git.working_dir = repository;
    git.argv = {
        "/bin/sh", "-c",
        "git init -q . && echo base > which && git add . && git -c user.name=a -c user.email=a@b commit -q -m one "
        "&& echo head > which"};
    EXPECT_TRUE(run_process(git).ok());
    environment_.set("ICOUNT_CACHE", (scratch_.path() / "cache").string());
    return repository;
  }
  Json kernel(const Json& answer, const std::string& name) {
    for (const Json& one : answer["kernels"])
      if (one["kernel"].get<std::string>().find(name) != std::string::npos) return one;
    ADD_FAILURE() << name;
    return {};
  }

  const std::string data_ = binary_dir() + "/tests/kernels";
  const std::string build_ = "cp '" + data_ + "'/$(cat which).cubin lib.cubin";
  const std::string table_ = "[[kernels]]\nlabel = 'library'\nfile = 'lib.cubin'\nfail_on = ['differs']\n";
  const std::string base_ = data_ + "/base.cubin", head_ = data_ + "/head.cubin";
  ScratchDir scratch_;
  Environment environment_{{"PATH=" + scratch_.path().string() + ":/usr/bin:/bin"}};
  std::ostringstream out_, err_;
};

TEST_F(KernelsCommandTest, EqualBytesNeedNoTool) {
  environment_ = Environment({"PATH=/nowhere", "ICOUNT_CUDA_TOOLS=/nowhere"});
  EXPECT_EQ(run({"--fail-on", "differs", base_, base_}), ExitCode::kOk);
  EXPECT_EQ(err_.str(), "");
  EXPECT_TRUE(out_.str().ends_with("4 kernels for sm_90: 4 have the same machine code\n")) << out_.str();
}

TEST_F(KernelsCommandTest, SaysWhatDiffersAndWhere) {
  ASSERT_EQ(run({"--format", "json", base_, head_}), ExitCode::kOk) << err_.str();
  const Json answer = parse_json(out_.str(), "answer");
  EXPECT_EQ(answer["schema"]["name"], "icount-kernels");
  // A constant that lies elsewhere now; the other source file's name is part of an unnamed namespace's.
  EXPECT_EQ(kernel(answer, "scale")["state"], "same");
  EXPECT_EQ(kernel(answer, "scale")["renamed"], true);
  EXPECT_EQ(kernel(answer, "clear")["state"], "same");
  EXPECT_EQ(kernel(answer, "clear")["kernel"], "(anonymous namespace)::clear(float*)");
  EXPECT_EQ(kernel(answer, "added")["state"], "only head");
  // left - right became right - left: the same instructions on exchanged parameters.
  EXPECT_EQ(kernel(answer, "difference")["state"], "differs");
  const Json total = kernel(answer, "total");
  EXPECT_EQ(total["state"], "differs");
  EXPECT_EQ(total["base"]["registers"], 31);
  EXPECT_EQ(total["head"]["registers"], 10);
  EXPECT_EQ(total["head"]["occupancy"]["warps_by_registers"], 64);
  ASSERT_EQ(total["loops"].size(), 2u);
  // The loop of head.cu:12 is that of base.cu:11, which the compiler made two of.
  EXPECT_EQ(total["loops"][0]["line"], 12);
  EXPECT_EQ(total["loops"][0]["base"]["global memory"], 1);
  EXPECT_EQ(total["loops"][0]["head"]["global memory"], 1);
  EXPECT_EQ(total["loops"][1]["line"], 11);
  EXPECT_EQ(total["loops"][1]["base"]["global memory"], 16);
  EXPECT_EQ(total["loops"][1]["head"], nullptr);
}

TEST_F(KernelsCommandTest, TheExitCodeSaysWhatMayNotBe) {
  EXPECT_EQ(run({"--fail-on", "differs", base_, head_}), ExitCode::kOverLimit);
  EXPECT_EQ(err_.str(),
            "icount: over the limit: `difference(float const*, float const*, float*)` for sm_90: differs\n"
            "icount: over the limit: `total(float const*, float*, int)` for sm_90: differs\n"
            "icount: over the limit: `added(int*)` for sm_90: only head\n");
  EXPECT_EQ(run({"--fail-on", "registers", "--fail-on", "spills", base_, head_}), ExitCode::kOk) << err_.str();
  EXPECT_EQ(run({"--fail-on", "registers", head_, base_}), ExitCode::kOverLimit);
  EXPECT_EQ(err_.str(),
            "icount: over the limit: `total(float const*, float*, int)` for sm_90: 10 registers became 31\n");
  EXPECT_EQ(run({"--fail-on", "speed", base_, head_}), ExitCode::kUsage);
}

TEST_F(KernelsCommandTest, ListsAKernelSideBySide) {
  const fs::path page = scratch_.path() / "page.html";
  ASSERT_EQ(run({"--open", "scale", "--html", page.string(), base_, head_}), ExitCode::kOk) << err_.str();
  EXPECT_NE(out_.str().find("~  LDC R9, c[0x3][R6]"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("LDC R9, c[0x3][R6+0x10]"), std::string::npos);
  // A page lists what differs, too.
  EXPECT_EQ(out_.str().find("FADD R9, R2, -R5"), std::string::npos);
  EXPECT_NE(load_text(page).find("<td><code>FADD R9, R2, -R5</code></td>"), std::string::npos) << load_text(page);
  EXPECT_EQ(run({"--open", "nothing", base_, head_}), ExitCode::kUsage);
}

TEST_F(KernelsCommandTest, AMissingToolIsSaidAndNothingIsHalfDone) {
  environment_ = Environment({"PATH=/nowhere"});
  EXPECT_EQ(run({base_, head_}), ExitCode::kFailure);
  EXPECT_EQ(out_.str(), "");
  EXPECT_NE(err_.str().find("nvdisasm is needed to look into kernels whose bytes differ, and is not installed"),
            std::string::npos)
      << err_.str();
  EXPECT_EQ(run({data_ + "/base.cu", head_}), ExitCode::kUsage);
  EXPECT_EQ(run({"/bin/true", head_}), ExitCode::kFailure);
  EXPECT_NE(err_.str().find("cuobjdump is needed to find the kernels in"), std::string::npos) << err_.str();
  EXPECT_EQ(run({"--arch", "sm_80", base_, head_}), ExitCode::kCannotJudge);
}

TEST_F(KernelsCommandTest, BaseIsBuiltAtItsCommit) {
  if (find_program("git").empty()) GTEST_SKIP() << "no git on this machine";
  const WorkingFolder here(make_repository());
  EXPECT_EQ(run({"--base-ref", "HEAD", "--build", build_, "--fail-on", "differs", "lib.cubin"}), ExitCode::kOverLimit);
  EXPECT_TRUE(out_.str().starts_with("HEAD (")) << out_.str();
  EXPECT_NE(out_.str().find(") -> lib.cubin\n5 kernels for sm_90: 2 differ, 1 is in head only, 2 have the same"),
            std::string::npos)
      << out_.str() << err_.str();
  EXPECT_EQ(run({"--base-ref", "HEAD", "--build", "false", "lib.cubin"}), ExitCode::kCannotJudge) << err_.str();
  EXPECT_EQ(run({"--base-ref", "HEAD", base_, head_}), ExitCode::kUsage);
  EXPECT_EQ(run({"--build", build_, base_, head_}), ExitCode::kUsage);

  EXPECT_EQ(run({"--base-ref", "HEAD", "suite.toml"}), ExitCode::kOverLimit) << err_.str();
  EXPECT_NE(err_.str().find("over the limit: library: `total(float const*, float*, int)` for sm_90: differs\n"),
            std::string::npos)
      << err_.str();
  EXPECT_EQ(run({"--base-ref", "HEAD", "--format", "json", "suite.toml"}), ExitCode::kOverLimit);
  EXPECT_EQ(parse_json(out_.str(), "answer")[0]["label"], "library");
  save_file("crooked.toml", table_ + "speed = 3\n[[kernels]]\nlabel = 'b'\nfail_on = ['speed']\n");
  EXPECT_EQ(run({"--base-ref", "HEAD", "crooked.toml"}), ExitCode::kFailure);
  EXPECT_NE(err_.str().find("[[kernels]] needs a 'file'"), std::string::npos) << err_.str();
  EXPECT_NE(err_.str().find("'fail_on' is differs, registers or spills, not 'speed'"), std::string::npos) << err_.str();
}

TEST_F(KernelsCommandTest, TheGateJudgesTheTablesOfASuite) {
  if (find_program("git").empty()) GTEST_SKIP() << "no git on this machine";
  const WorkingFolder here(make_repository());
  const std::string sentence = "5 kernels for sm_90: 2 differ, 1 is in head only, 2 have the same machine code";
  EXPECT_EQ(run({"--base-ref", "HEAD", "--markdown", "comment.md", "--json", "gate.json", "--junit", "gate.xml",
                 "suite.toml"},
                "gate"),
            ExitCode::kOverLimit)
      << err_.str();
  EXPECT_TRUE(out_.str().starts_with("refused: 5 kernels compared, 3 changed\n")) << out_.str();
  EXPECT_NE(out_.str().find("31 registers became 10"), std::string::npos) << out_.str();
  const std::string comment = load_text("comment.md");
  EXPECT_NE(comment.find("| kernels | library | 5 kernels for sm\\_90: 2 differ, 1 is in head only, 2 have the same "
                         "machine code; `difference("),
            std::string::npos)
      << comment;
  EXPECT_NE(comment.find("<details><summary>Kernels that changed</summary>"), std::string::npos) << comment;
  EXPECT_NE(load_text("gate.xml").find("failures=\"1\""), std::string::npos);
  const Json answer = parse_json(load_text("gate.json"), "gate");
  EXPECT_EQ(answer["verdict"], "refusal");
  EXPECT_EQ(answer["findings"][0]["kind"], "kernels");
  EXPECT_EQ(answer["findings"][0]["limit_place"], "suite.toml:2");
  EXPECT_EQ(kernel(answer["kernels"][0], "total")["head"]["registers"], 10);

  // A limit that is kept, and none: both are said. Of what can't be compared a limit alone matters.
  const std::string build = "build = \"" + build_ + "\"\n";
  const std::string allowed = "[[kernels]]\nlabel = 'library'\nfile = 'lib.cubin'\nfail_on = ['registers']\n";
  save_file("suite.toml", build + allowed + "[[kernels]]\nlabel = 'new'\nfile = 'new.cubin'\nfail_on = ['differs']\n");
  fs::copy_file(head_, "new.cubin");
  EXPECT_EQ(run({"--base-ref", "HEAD", "suite.toml"}, "gate"), ExitCode::kOk) << out_.str() << err_.str();
  EXPECT_NE(out_.str().find("library: " + sentence + "\n"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("has no new.cubin"), std::string::npos) << out_.str();
  save_file("suite.toml", build + allowed + "[[kernels]]\nlabel = 'text'\nfile = 'which'\nfail_on = ['differs']\n");
  EXPECT_EQ(run({"--base-ref", "HEAD", "suite.toml"}, "gate"), ExitCode::kCannotJudge) << out_.str();
  EXPECT_NE(out_.str().find("cuobjdump is needed to find the kernels in"), std::string::npos) << out_.str();
  EXPECT_EQ(run({"--base-ref", "HEAD", "--filter", "library", "suite.toml"}, "gate"), ExitCode::kOk) << out_.str();
  save_file("suite.expected", "icount accepted values, version 1\n");
  EXPECT_EQ(run({"suite.toml"}, "gate"), ExitCode::kCannotJudge) << out_.str() << err_.str();
  EXPECT_NE(out_.str().find("--base-ref COMMIT"), std::string::npos) << out_.str();
}

TEST_F(KernelsCommandTest, PtxAloneIsComparedAsText) {
  const std::string ptx =
      "// made by a compiler\n.version 9.0\n.target sm_90, debug\n.visible .entry _Z3oneiPi(\n  .param .u32 "
      "_Z3oneiPi_param_0\n)\n{\n  .reg .b32 %r<4>;\n  .loc 1 2 3\n  add.s32 %r1, %r2, 1;\n  ret;\n}\n";
  std::string other = ptx;
  replace_all(other, ".loc 1 2 3", ".loc 1 9 9 // moved");
  const std::string base = (scratch_.path() / "base.ptx").string(), head = (scratch_.path() / "head.ptx").string();
  save_file(base, ptx);
  save_file(head, other);
  EXPECT_EQ(run({"--fail-on", "differs", base, head}), ExitCode::kOk) << err_.str();
  EXPECT_NE(out_.str().find("1 kernel for sm_90 (PTX): 1 is the same"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("sm_90 (PTX) is compared as text: what a driver makes of it is not known"),
            std::string::npos)
      << out_.str();
  replace_all(other, "%r2, 1", "%r2, 2");
  save_file(head, other);
  EXPECT_EQ(run({"--fail-on", "differs", base, head}), ExitCode::kOverLimit);
  EXPECT_NE(out_.str().find("its PTX differs, or what its module declares"), std::string::npos) << out_.str();
  EXPECT_EQ(run({base, head_}), ExitCode::kCannotJudge);
}

TEST(CubinTest, DamageIsSaidWhereverItIs) {
  const std::string bytes = load_text(binary_dir() + "/tests/kernels/base.cubin");
  for (size_t size = 64; size < bytes.size(); size += 97) {
    try {
      const Cubin cut = parse_cubin(FileBytes(bytes.substr(0, size)), "cut");
      EXPECT_EQ(cut.functions.size(), 4u) << size;  // only what lies behind the sections is missing
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMalformed) << size;
    }
  }
  for (size_t at = 16; at < bytes.size(); at += 31) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    try {
      parse_cubin(FileBytes(changed), "changed");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMalformed) << at;
    }
  }
}

TEST(CubinTest, RelocatableCodeHasItsOwnTypesOfVariables) {
  // nvcc 13 gives a variable of an object another type than STT_OBJECT, and shared memory another one than SHT_NOBITS.
  const std::string bytes = load_text(binary_dir() + "/tests/kernels/base.cubin");
  const Cubin linked = parse_cubin(FileBytes(bytes), "linked");
  ASSERT_FALSE(linked.constants.empty());
  std::string changed = bytes;
  const auto at = [&](uint64_t offset) { return changed.data() + offset; };
  Elf64_Ehdr header;
  std::memcpy(&header, at(0), sizeof(header));
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    const uint64_t place = header.e_shoff + i * sizeof(section);
    std::memcpy(&section, at(place), sizeof(section));
    if (section.sh_type == SHT_NOBITS) {
      section.sh_type = 0x7000000a;
      section.sh_size += changed.size();
      std::memcpy(at(place), &section, sizeof(section));
    }
    for (uint64_t row = 0; section.sh_type == SHT_SYMTAB && row < section.sh_size; row += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, at(section.sh_offset + row), sizeof(symbol));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
      symbol.st_info = ELF64_ST_INFO(ELF64_ST_BIND(symbol.st_info), 13);
      std::memcpy(at(section.sh_offset + row), &symbol, sizeof(symbol));
    }
  }
  ASSERT_NE(changed, bytes);
  EXPECT_EQ(parse_cubin(FileBytes(changed), "relocatable").constants, linked.constants);
}

TEST(CubinTest, NamesOfInternalLinkageKeepNothingOfTheirFile) {
  EXPECT_EQ(stable_symbol("_ZN34_GLOBAL__N__a8fc347c_4_c_cu__Z1fPi4anonEPi"), "_ZN12_GLOBAL__N_14anonEPi");
  EXPECT_EQ(stable_symbol("__nv_static_23__a8fc347c_4_c_cu__Z1fPi_counter"), "counter");
  EXPECT_EQ(stable_symbol("_ZN32_INTERNAL_a8fc347c_4_c_cu__Z1fPi34_GLOBAL__N__a8fc347c_4_c_cu__Z1fPi3hidE"),
            "_ZN10_INTERNAL_12_GLOBAL__N_13hidE");
  EXPECT_EQ(stable_symbol("_Z3fooILi12EEvv"), "_Z3fooILi12EEvv");
  EXPECT_EQ(stable_symbol("__nv_static_99999999999_x"), "__nv_static_99999999999_x");
}

TEST(CompareKernelsTest, WhatALaunchTakesCountsBesideTheCode) {
  const auto compared = [](const std::function<void(Cubin&)>& change) {
    std::vector<Cubin> sides(2);
    for (Cubin& side : sides) {
      side.bytes = FileBytes(std::string(10 * kSassBytes, 'c'));
      side.arch = "sm_90";
      KernelCode& kernel = side.functions.emplace_back();
      kernel.name = "_Z1ki";
      kernel.code = side.bytes.view();
      kernel.registers = 20;
      kernel.parameters = {{0, 0, 4}};
    }
    change(sides[1]);
    std::vector<Cubin> base, head;
    base.push_back(std::move(sides[0]));
    head.push_back(std::move(sides[1]));
    const KernelPair pair = compare_kernels(base, head, {}).pairs.at(0);
    return std::string(to_text(pair.state)) + (pair.reasons.empty() ? "" : ": " + pair.reasons[0]);
  };
  EXPECT_EQ(compared([](Cubin&) {}), "same");
  EXPECT_EQ(compared([](Cubin& head) { head.functions[0].registers = 32; }), "differs: 20 registers became 32");
  EXPECT_EQ(compared([](Cubin& head) { head.functions[0].shared_bytes = 64; }),
            "differs: 0 bytes of shared memory became 64");
  EXPECT_EQ(compared([](Cubin& head) { head.functions[0].local_bytes = 64; }),
            "differs: 0 bytes of local memory became 64");
  EXPECT_EQ(compared([](Cubin& head) { head.functions[0].max_threads = 128; }),
            "differs: launch bounds, threads of a block: none became 128");
  EXPECT_EQ(compared([](Cubin& head) {
              head.functions[0].parameters = {{0, 0, 8}};
            }),
            "differs: its parameters have other sizes or places");
  EXPECT_EQ(compared([](Cubin& head) { head.functions[0].launch[0x3d] = "cluster"; }),
            "differs: it is launched otherwise: attributes that the driver reads differ");
}

TEST(OccupancyTest, IsThatOfTheCalculator) {
  // 255 registers: 8,192 for a warp, so that a quarter of a multiprocessor (16,384) has room for two.
  EXPECT_EQ(occupancy_of("sm_90", 255, 0), (Occupancy{64, 8, 32, 32}));
  EXPECT_EQ(occupancy_of("sm_90", 32, 0), (Occupancy{64, 64, 32, 32}));
  EXPECT_EQ(occupancy_of("sm_80", 40, 48 * 1024), (Occupancy{64, 48, 32, 3}));
  EXPECT_EQ(occupancy_of("sm_90a", 168, 100 * 1024), (Occupancy{64, 12, 32, 2}));
  EXPECT_EQ(occupancy_of("sm_12345", 32, 0), std::nullopt);
}

}  // namespace
}  // namespace icount
