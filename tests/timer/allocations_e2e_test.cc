// Allocations from call edges against an allocator that counts: the same statements, counted by Valgrind here and run
// natively in a program whose malloc and its kin count their calls.
#include <gtest/gtest.h>

#include <sstream>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgraph/allocations.h"
#include "support/places.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

constexpr const char* kHeaders =
    "#include <algorithm>\n#include <any>\n#include <cstdlib>\n#include <cstring>\n#include <deque>\n#include "
    "<functional>\n"
    "#include <list>\n#include <map>\n#include <memory>\n#include <memory_resource>\n#include <new>\n#include "
    "<optional>\n"
    "#include <sstream>\n#include <stdexcept>\n#include <string>\n#include <unordered_map>\n#include <vector>\n";

constexpr const char* kSetup = "int n = 3; icount::keep(n);";

constexpr const char* kStatements[] = {
    "std::string s(100, 'x'); icount::keep(s);",
    "std::string s(10, 'x'); icount::keep(s);",
    "std::vector<int> v; for (int i = 0; i < 100; ++i) v.push_back(i); icount::keep(v);",
    "std::vector<std::string> v(5, std::string(40, 'y')); icount::keep(v);",
    "std::map<int, std::string> m; for (int i = 0; i < 20; ++i) m[i] = \"v\"; icount::keep(m);",
    "std::unordered_map<int, int> m; for (int i = 0; i < 50; ++i) m[i] = i; icount::keep(m);",
    "std::list<int> l(7, n); icount::keep(l);",
    "std::deque<int> d(1000, n); icount::keep(d);",
    "auto p = std::make_shared<std::string>(50, 'z'); auto q = p; icount::keep(q);",
    "std::unique_ptr<int[]> p(new int[64]()); icount::keep(p);",
    "std::function<int()> f = [a = std::string(30, 'a'), n] { return n + int(a.size()); }; icount::keep(f);",
    "void* p = malloc(33); icount::keep(p); free(p);",
    "void* p = calloc(7, 9); icount::keep(p); free(p);",
    "void* p = malloc(10); icount::keep(p); p = realloc(p, 5000); icount::keep(p); free(p);",
    "void* p = realloc(nullptr, 12); icount::keep(p); free(p);",
    "void* p = nullptr; icount::keep(posix_memalign(&p, 64, 200)); icount::keep(p); free(p);",
    "void* p = aligned_alloc(64, 128); icount::keep(p); free(p);",
    "struct alignas(64) Wide { char c[128]; }; auto* w = new Wide; icount::keep(w); delete w;",
    "auto* p = new (std::nothrow) long(4); icount::keep(p); delete p;",
    "auto* p = static_cast<char*>(::operator new(100)); icount::keep(p); ::operator delete(p);",
    "std::ostringstream o; o << 3.25 << \" and a text that is longer than the buffer in a string\"; icount::keep(o);",
    "char* c = strdup(\"a copy of this\"); icount::keep(c); free(c);",
    "try { if (n > 1) throw std::runtime_error(\"a message that is thrown\"); } catch (const std::exception& e) { "
    "icount::keep(e.what()); }",
    "std::any a = std::string(60, 'q'); std::any b = a; icount::keep(b);",
    "std::pmr::monotonic_buffer_resource r(100); std::pmr::vector<int> v(&r); for (int i = 0; i < 99; ++i) "
    "v.push_back(i); icount::keep(v);",
    "std::vector<int> v(200, n); std::stable_sort(v.begin(), v.end()); icount::keep(v);",
    "icount::keep(n * 2);",
};

/// Counts every outermost call of the C library's allocator; libstdc++'s operators call it once each.
constexpr const char* kCountingAllocator = R"(
extern "C" {
void* __libc_malloc(size_t); void __libc_free(void*); void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t); void* __libc_memalign(size_t, size_t);
static long allocations, frees;
void* malloc(size_t n) { ++allocations; return __libc_malloc(n); }
void* calloc(size_t n, size_t m) { ++allocations; return __libc_calloc(n, m); }
void* realloc(void* p, size_t n) { ++allocations; return __libc_realloc(p, n); }
void* aligned_alloc(size_t a, size_t n) { ++allocations; return __libc_memalign(a, n); }
void* memalign(size_t a, size_t n) { ++allocations; return __libc_memalign(a, n); }
int posix_memalign(void** p, size_t a, size_t n) { ++allocations; *p = __libc_memalign(a, n); return 0; }
void free(void* p) { ++frees; __libc_free(p); }
}
)";

std::vector<AllocationCounts> run_natively() {
  const ScratchDir folder;
  std::string text = std::string(kHeaders) + "#include <cstdio>\n#include \"icount/region.h\"\n" + kCountingAllocator;
  std::string calls;
  size_t number = 0;
  for (const char* statement : kStatements) {
    text += "static void f" + std::to_string(number) + "() {\n" + kSetup + "\nfor (int i = 0; i < 10; ++i) { " +
            statement + " }\nconst long a = allocations, b = frees;\nfor (int i = 0; i < 100; ++i) { " + statement +
            " }\nconst long c = allocations - a, d = frees - b;\nprintf(\"%ld %ld\\n\", c, d);\n}\n";
    calls += "f" + std::to_string(number++) + "();\n";
  }
  save_file(folder.path() / "native.cc", text + "int main() {\n" + calls + "}\n");
  ProcessSpec compile;
  compile.argv = {"g++",
                  "-std=c++20",
                  "-O2",
                  "-DNDEBUG",
                  "-w",
                  "-I" + source_dir() + "/include",
                  "-o",
                  (folder.path() / "native").string(),
                  (folder.path() / "native.cc").string()};
  const ProcessOutcome compiled = run_process(compile);
  EXPECT_TRUE(compiled.ok()) << compiled.errors;
  ProcessSpec run;
  run.argv = {(folder.path() / "native").string()};
  std::istringstream lines(run_process(run).output);
  std::vector<AllocationCounts> all;
  for (AllocationCounts counts; lines >> counts.allocations >> counts.frees;) all.push_back(counts);
  return all;
}

TEST(AllocationsE2eTest, EqualToACountingAllocator) {
  ICOUNT_NEEDS("valgrind");
  ICOUNT_NEEDS("g++");
  std::vector<TimerArgs> statements;
  for (const char* statement : kStatements) {
    statements.push_back(make_statement(statement, kSetup));
    statements.back().global_setup = kHeaders;
  }
  CollectOptions options = make_collect_options();
  options.number = 100;
  options.slope = false;
  options.allow_dead = true;
  options.toolchain.compiler = "g++";
  const std::vector<CollectResult> counted = collect_all(statements, options);
  const std::vector<AllocationCounts> native = run_natively();
  ASSERT_EQ(native.size(), std::size(kStatements));
  ASSERT_EQ(counted.size(), native.size());
  for (size_t i = 0; i < native.size(); ++i)
    EXPECT_EQ(count_allocations(counted[i].graph), native[i])
        << kStatements[i] << "\nnative: " << native[i].allocations << " allocations, " << native[i].frees << " frees";
}

}  // namespace
}  // namespace icount
