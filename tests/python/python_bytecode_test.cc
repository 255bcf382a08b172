// Byte code of an interpreter brought into one form, natively.
#include "icount/harness/stubs/python_bytecode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

/// What may be written in several ways: texts of one character, equal frozen sets, objects that occur once and twice.
constexpr const char* kModule =
    "import os\n"
    "BIG, SMALL, HALF, WAVE = 1 << 90, -1 << 70, 0.5, 2j\n"
    "def first(x, capturable=False):\n"
    "    return x in {'xpu', 'cuda', 'a text'}, '{', f'{x}}}', b'bytes', 1 << 90, ('inner', (1, 2.5, None, ...))\n"
    "class Inner:\n"
    "    def second(self, x):\n"
    "        return x in {'a text', 'cuda', 'xpu'}, '{', 'caf\\u00e9 \\u65e5', lambda y: (x, y, self.second)\n";

/// Compiles as one compiler of many does: texts that others refer to, in a process with hashes of its own.
constexpr const char* kCompile =
    "import marshal, sys\n"
    "held = [sys.intern(c) for c in '{}abcxyz'] if sys.argv[3] == 'holds' else []\n"
    "code = compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[3] * 20 + '/module.py', 'exec')\n"
    "more = code.co_consts + code.co_names if sys.argv[3] == 'holds' else ()\n"
    "open(sys.argv[2], 'wb').write(marshal.dumps(code))\n"
    "print(sys.version_info[1])\n";

/// Whether the second file has the code of the first, but for its file, which is the third argument.
constexpr const char* kCompare =
    "import marshal, sys, types\n"
    "def same(a, b):\n"
    "    if isinstance(a, types.CodeType):\n"
    "        names = ('co_code', 'co_names', 'co_varnames', 'co_freevars', 'co_cellvars', 'co_name', 'co_firstlineno', "
    "'co_flags',\n"
    "                 'co_argcount', 'co_kwonlyargcount', 'co_nlocals', 'co_stacksize')\n"
    "        return (b.co_filename == sys.argv[3] and same(a.co_consts, b.co_consts)\n"
    "                and all(getattr(a, name) == getattr(b, name) for name in names))\n"
    "    if isinstance(a, tuple):\n"
    "        return len(a) == len(b) and all(map(same, a, b))\n"
    "    return type(a) is type(b) and repr(a) == repr(b) or a == b\n"
    "assert same(*(marshal.loads(open(name, 'rb').read()) for name in sys.argv[1:3]))\n";

TEST(PythonBytecodeTest, OneFormWhoeverCompilesAndThatCode) {
  if (find_program("python3").empty()) GTEST_SKIP() << "no python3 in PATH";
  const ScratchDir dir;
  const std::string module = dir.path() / "module.py", source = "/proc/self/fd/8/module.py";
  save_file(module, kModule);
  std::vector<std::string> compiled, rewritten;
  int minor = 0;
  for (const std::string& how : {std::string("alone"), std::string("holds")}) {
    const std::string file = dir.path() / how;
    const std::string seed = "PYTHONHASHSEED=" + std::to_string(how.size() + compiled.size());
    const ProcessOutcome outcome = run_process({.argv = {"env", seed, "python3", "-c", kCompile, module, file, how}});
    ASSERT_TRUE(outcome.ok()) << outcome.errors;
    minor = std::stoi(outcome.output);
    compiled.push_back(load_text(file));
    std::string to(2 * compiled.back().size() + 1000, '\0');
    to.resize(icount_stub::Bytecode::rewrite(compiled.back().data(), compiled.back().size(), source.c_str(), minor,
                                             to.data(), to.size()));
    rewritten.push_back(to);
    save_file(file + ".rewritten", to);
    const ProcessOutcome compared =
        run_process({.argv = {"python3", "-c", kCompare, file, file + ".rewritten", source}});
    EXPECT_TRUE(compared.ok()) << compared.errors;
  }
  EXPECT_NE(compiled[0], compiled[1]);
  EXPECT_FALSE(rewritten[0].empty());
  EXPECT_TRUE(rewritten[0] == rewritten[1] || minor < 11);  // before 3.11 sets are written in the order of hashes
}

TEST(PythonBytecodeTest, TwoEqualFrozenSetsAreNeverOne) {
  const std::string one("\x29\x02\xbe\x01\0\0\0\xda\x01xr\0\0\0\0", 15);
  const std::string two("\x29\x02>\x01\0\0\0\xda\x01x>\x01\0\0\0r\0\0\0\0", 20);
  for (const std::string& marshalled : {one, two}) {
    char to[100];
    const size_t size = icount_stub::Bytecode::rewrite(marshalled.data(), marshalled.size(), "s", 11, to, sizeof to);
    EXPECT_EQ(std::string(to, size), two);
  }
}

TEST(PythonBytecodeTest, WhatIsCutOffOrUnknownIsLeftAlone) {
  char to[100];
  const std::string tuple("\xa9\x02\xda\x01xr\x01\x00\x00\x00", 10);  // a tuple of a text and what refers to it
  EXPECT_EQ(icount_stub::Bytecode::rewrite(tuple.data(), tuple.size(), "s", 11, to, sizeof to), tuple.size());
  for (size_t size = 0; size < tuple.size(); ++size)
    EXPECT_EQ(icount_stub::Bytecode::rewrite(tuple.data(), size, "s", 11, to, sizeof to), 0u) << size;
  EXPECT_EQ(icount_stub::Bytecode::rewrite(tuple.data(), tuple.size(), "s", 11, to, 5), 0u);
  EXPECT_EQ(icount_stub::Bytecode::rewrite("?", 1, "s", 11, to, sizeof to), 0u);
}

}  // namespace
}  // namespace icount
