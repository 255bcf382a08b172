// The C++ half of the Python stub server: stub_server.h as a shared library that an interpreter loads. It serves, forks
// and marks regions; a benchmark is a Python callable that is entered in the child only. Between two jobs the parent
// runs no Python at all, so its heap stays what it was. Needs no Python header: the few functions of the stable ABI
// that it calls are looked up in the interpreter. The other half: stub_server.py; what the plan holds:
// python_compile.py.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace {
void set_threads(int threads);
}  // namespace

#define ICOUNT_STUB_LANGUAGE "python"
#define ICOUNT_STUB_SET_THREADS(n) set_threads(n)
#define ICOUNT_STUB_RUN_PROGRAM(job, path) run_plan(job, path)
namespace icount_stub {
struct Job;
[[noreturn]] void run_plan(const Job& job, const char* path);
}  // namespace icount_stub
#include "python_bytecode.h"
#include "stub_benchmark.h"
#include "stub_server.h"

namespace {

using icount_stub::Context;
using icount_stub::Registration;

struct Object;  // PyObject

/// What the interpreter offers, by its names in the stable ABI.
struct Interpreter {
  Object* (*call)(Object*, ...) = nullptr;                      // PyObject_CallFunctionObjArgs
  Object* (*make_integer)(long long) = nullptr;                 // PyLong_FromLongLong
  Object* (*make_bytes)(const char*, ssize_t) = nullptr;        // PyBytes_FromStringAndSize
  char* (*bytes_of)(Object*) = nullptr;                         // PyBytes_AsString
  ssize_t (*size_of)(Object*) = nullptr;                        // PyBytes_Size
  Object* (*make_function)(void*, Object*, Object*) = nullptr;  // PyCFunction_NewEx
  void (*print_error)() = nullptr;                              // PyErr_Print
  void* (*allocate)(size_t) = nullptr;                          // PyObject_Malloc
  const char* (*version)() = nullptr;                           // Py_GetVersion
  /// Not of the stable ABI; not there: nothing is known of the allocator.
  const char* (*name_of_allocator)() = nullptr;  // _PyMem_GetCurrentAllocatorName
};

/// PyMethodDef, as the stable ABI fixes it.
struct MethodDefinition {
  const char* name;
  Object* (*function)(Object*, Object*);
  int flags;
  const char* doc;
};
constexpr int kNoArguments = 4;  // METH_NOARGS

constexpr long long kEnded = -1;  // python_compile.py ends at what is below 0
constexpr uint64_t kMostBenchmarks = 65536;
constexpr off_t kFoldersEntry = 24;  // in the plan; the benchmarks' entries follow, that of the empty one first
/// How often the warm-up runs the very block that is counted. The interpreter adapts an instruction when it meets it
/// for the second time, at the latest.
constexpr int kWarmPasses = 2;

/// Loops of the block in each pass. An instruction that the interpreter can't adapt it tries again after 2^k runs of
/// it, less or more some (3.11: the runs 5, 12, 27, 58), which costs some hundred instructions in each unrolled copy.
/// So many loops come first that both regions of `loops` loops fit between two such moments.
constexpr int64_t loops_of_pass(int64_t loops) {
  if (loops < 2) return 1;
  int64_t power = 8, exponent = 3;
  for (; power - exponent - 5 <= 2 * loops; power *= 2) ++exponent;
  return (power + 4) / kWarmPasses;
}

Interpreter interpreter;
Object* entry = nullptr;          // called in the child with the benchmark's record
Object* threads_entry = nullptr;  // called in the child with a number of threads other than 1
int plan = -1;
int64_t unit = 0;   // runs in one loop of a block; 0: blocks are loops of single runs
int64_t loops = 0;  // of a counted block
Context* current = nullptr;
int passes_left = 0;   // of the warm-up
bool in_setup = true;  // which may run processes, as imports of test frameworks do: none of their work is in a region

/// From the head of a plan: number of benchmarks, unit, loops.
void read_blocks(const uint64_t (&head)[3]) {
  unit = static_cast<int64_t>(head[1]);
  loops = static_cast<int64_t>(head[2]);
}

/// Takes what is free in the pools of the interpreter's own allocator, and one block of a new pool of each size.
/// Otherwise the set-up, or a test framework around the statement, would decide by the number of its objects whether a
/// pool is full just where the statement allocates and frees, which costs some ten instructions each time.
void start_new_pools() {
  constexpr size_t kHeadOfPool = 48, kStep = 16, kLargest = 512;
  if (!interpreter.name_of_allocator || strcmp(interpreter.name_of_allocator(), "pymalloc") != 0) return;
  const bool is_old = strncmp(interpreter.version(), "3.9.", 4) == 0;
  const uintptr_t pool = is_old ? 1 << 12 : 1 << 14;
  constexpr int kMostBlocks = 1 << 16;  // of each size: pools of a form that is not known here never match
  for (size_t size = kStep; size <= kLargest; size += kStep)
    for (int i = 0; i < kMostBlocks; ++i)
      if (reinterpret_cast<uintptr_t>(interpreter.allocate(size)) % pool == kHeadOfPool) break;
}

/// The Python callable that leads through the phases: loops of the block to make now, kEnded at the end. A block that
/// was made for one number of runs is warmed up as a whole.
Object* next_phase(Object*, Object*) {
  if (in_setup) {
    in_setup = false;
    start_new_pools();
    icount_stub::progress().usage_allowed = icount_stub::usage_of_others();
  }
  if (passes_left > 0) {
    --passes_left;
    return interpreter.make_integer(loops_of_pass(loops));
  }
  // The server says why it ends here; a region full of processes would only take long.
  const bool warmed_up = icount_stub::Region::step(*current) == icount_stub::Region::kWarmedUp;
  if (warmed_up && icount_stub::waited_for_others()) return interpreter.make_integer(kEnded);
  if (!current->next()) return interpreter.make_integer(kEnded);
  if (unit == 0) return interpreter.make_integer(current->count());
  if (icount_stub::Region::step(*current) == icount_stub::Region::kInRegion)
    return interpreter.make_integer(current->count() / unit);
  passes_left = kWarmPasses - 1;
  return interpreter.make_integer(loops_of_pass(loops));
}
MethodDefinition next_phase_definition{"next_phase", &next_phase, kNoArguments, nullptr};

/// A benchmark's record as a bytes object. Where it lies in the plan never becomes a Python object: a benchmark's
/// neighbours must leave no trace in its heap.
Object* load_record(int benchmark) {
  uint64_t where[2];
  if (pread(plan, where, sizeof where, kFoldersEntry + 16 * (benchmark + 2)) != sizeof where) return nullptr;
  Object* record = interpreter.make_bytes(nullptr, static_cast<ssize_t>(where[1]));
  for (uint64_t done = 0; record && done < where[1];) {
    const ssize_t n =
        pread(plan, interpreter.bytes_of(record) + done, where[1] - done, static_cast<off_t>(where[0] + done));
    if (n <= 0) return nullptr;
    done += static_cast<uint64_t>(n);
  }
  return record;
}

void run_python(Context& context) {
  current = &context;
  passes_left = 0;
  in_setup = true;
  Object* record = load_record(icount_stub::progress().job.benchmark);
  if (!record || !interpreter.call(entry, record, nullptr)) interpreter.print_error();
}

/// A process that the statement made has ended: subprocess forks by vfork, which no handler sees, and a whole block of
/// them would take long. In the server itself this is the end of a child.
void end_with_others(int) {
  if (!icount_stub::progress().measuring_child || in_setup) return;
  icount_stub::report("forked the statement makes further processes");
  _exit(1);
}

void set_threads(int threads) {
  if (!interpreter.call(threads_entry, interpreter.make_integer(threads), nullptr)) interpreter.print_error();
}

template <typename Function>
bool find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

bool find_interpreter() {
  find(interpreter.name_of_allocator, "_PyMem_GetCurrentAllocatorName");
  return find(interpreter.call, "PyObject_CallFunctionObjArgs") &&
         find(interpreter.make_integer, "PyLong_FromLongLong") &&
         find(interpreter.make_bytes, "PyBytes_FromStringAndSize") && find(interpreter.bytes_of, "PyBytes_AsString") &&
         find(interpreter.size_of, "PyBytes_Size") && find(interpreter.make_function, "PyCFunction_NewEx") &&
         find(interpreter.print_error, "PyErr_Print") && find(interpreter.allocate, "PyObject_Malloc") &&
         find(interpreter.version, "Py_GetVersion");
}

constexpr size_t kBytecodeHead = 16;  ///< magic number, flags, time and size of the source
/// What byte code is made in: no heap, whose state would tell how large it was.
char made[1 << 23];

/// The byte code in `file`, where it was made from the source as it is now; its size, 0 else.
size_t load_bytecode(const char* file, const struct stat& source) {
  const int fd = open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t size = read(fd, made, sizeof made);
  close(fd);
  const uint32_t wanted[3] = {0, static_cast<uint32_t>(source.st_mtime), static_cast<uint32_t>(source.st_size)};
  const bool is_whole = size > static_cast<ssize_t>(kBytecodeHead) && size < static_cast<ssize_t>(sizeof made);
  return is_whole && memcmp(made + 4, wanted, sizeof wanted) == 0 ? static_cast<size_t>(size) : 0;
}

/// What `compile` returns in a process of its own, whose heap nobody looks at. 0 where that fails, and behind a set-up.
size_t compile_bytecode(Object* compile) {
  if (icount_stub::progress().measuring_child && !in_setup) return 0;
  const int file = memfd_create("icount", MFD_CLOEXEC);  // a mapping would move what is mapped later
  if (file < 0) return 0;
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    Object* bytes = interpreter.call(compile, nullptr);
    const ssize_t size = bytes ? interpreter.size_of(bytes) : 0;
    if (size > 0 && write(file, interpreter.bytes_of(bytes), static_cast<size_t>(size)) != size) ftruncate(file, 0);
    kill(getpid(), SIGKILL);  // Valgrind writes no profile of it
  }
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  const ssize_t size = pread(file, made, sizeof made, 0);
  close(file);
  return size > 0 && size < static_cast<ssize_t>(sizeof made) ? static_cast<size_t>(size) : 0;
}

}  // namespace

/// The measured child's way into a plan that was made after the server's own (docs/server.md).
[[noreturn]] void icount_stub::run_plan(const Job& asked, const char* path) {
  Job job = asked;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  uint64_t head[3], folders[2];
  const bool whole = fd >= 0 && pread(fd, head, sizeof head, 0) == sizeof head &&
                     pread(fd, folders, sizeof folders, kFoldersEntry) == sizeof folders &&
                     job.benchmark < static_cast<int64_t>(head[0]);
  if (whole) {
    dup2(fd, plan);
    close(fd);
    read_blocks(head);
    job.registration = find_benchmark(kEmptyBenchmark);  // all run the same function, which reads the number
    run_child(job);
  }
  report("unfit its plan can't be read");
  _exit(3);
}

extern "C" {

/// The builtin function next_phase as a Python object; nullptr when the interpreter lacks what is needed.
Object* icount_make_next_phase() {
  return find_interpreter() ? interpreter.make_function(&next_phase_definition, nullptr, nullptr) : nullptr;
}

/// Byte code of the module in `source`, from `file` or as `compile` returns it, the same wherever it was made: where a
/// module lies and whether it is compiled must leave no trace in the heap, not even for the moment of its import. Empty
/// where there is none; nullptr when the interpreter lacks what is needed.
Object* icount_read_bytecode(const char* file, const char* source, Object* compile, int minor) {
  static char same[sizeof made];
  if (!find_interpreter()) return nullptr;
  struct stat stats;
  if (stat(source, &stats) != 0) return interpreter.make_bytes(nullptr, 0);
  size_t size = load_bytecode(file, stats);
  if (size == 0) size = compile_bytecode(compile);
  if (size <= kBytecodeHead) return interpreter.make_bytes(nullptr, 0);
  memcpy(same, made, kBytecodeHead);
  const size_t rest = icount_stub::Bytecode::rewrite(made + kBytecodeHead, size - kBytecodeHead, source, minor,
                                                     same + kBytecodeHead, sizeof same - kBytecodeHead);
  return rest > 0 ? interpreter.make_bytes(same, static_cast<ssize_t>(kBytecodeHead + rest))
                  : interpreter.make_bytes(made, static_cast<ssize_t>(size));
}

/// Opens the folders of the plan as the descriptors `first` and following; returns twice their number, and one more
/// when the last is the current folder. What can't be opened is left out, as Python does.
int icount_open_folders(int plan_descriptor, int first) {
  static char names[1 << 16];
  uint64_t where[2];
  if (pread(plan_descriptor, where, sizeof where, kFoldersEntry) != sizeof where || where[1] >= sizeof names) return 0;
  if (pread(plan_descriptor, names, where[1], static_cast<off_t>(where[0])) != static_cast<ssize_t>(where[1])) return 0;
  static const char kHere[] = "here:";
  int count = 0, here = 0;
  for (const char* name = names; name < names + where[1]; name += strlen(name) + 1) {
    const bool is_here = strncmp(name, kHere, sizeof kHere - 1) == 0;
    const int folder = open(is_here ? name + sizeof kHere - 1 : name, O_RDONLY);
    if (folder < 0) continue;
    here = is_here ? 1 : 0;
    if (folder != first + count) {
      dup2(folder, first + count);
      close(folder);
    }
    ++count;
  }
  return 2 * count + here;
}

/// The names in a folder that say which packages are installed and what is searched, in the order of their bytes, each
/// but the last followed by a slash. Other files leave no trace in the interpreter's heap.
const char* icount_list_settings(const char* folder) {
  constexpr size_t kMostNames = 1 << 15;
  static char text[1 << 21];
  static char* names[kMostNames];
  char* end = text;
  size_t count = 0;
  DIR* open_folder = opendir(folder);
  while (const dirent* entry = open_folder ? readdir(open_folder) : nullptr) {
    const size_t size = strlen(entry->d_name);
    bool wanted = false;
    for (const char* suffix : {".pth", ".dist-info", ".egg-info", ".egg"})
      wanted |= size >= strlen(suffix) && strcasecmp(entry->d_name + size - strlen(suffix), suffix) == 0;
    if (!wanted) continue;
    if (count == kMostNames || static_cast<size_t>(text + sizeof text - end) < size + 1) _exit(2);
    names[count++] = end;
    memcpy(end, entry->d_name, size + 1);
    end += size + 1;
  }
  if (open_folder) closedir(open_folder);
  std::sort(names, names + count, [](const char* a, const char* b) { return strcmp(a, b) < 0; });
  static char sorted[sizeof text];
  char* to = sorted;
  for (size_t i = 0; i < count; ++i) {
    if (i) *to++ = '/';
    to = stpcpy(to, names[i]);
  }
  *to = 0;
  return sorted;
}

/// For the child: an exception left the statement. Ends the process.
void icount_threw(const char* text) {
  icount_stub::report("threw %s", text);
  _exit(1);
}

/// For the child: the statement ended below frames that are to go no further. Ends the process.
void icount_end() { icount_stub::finish_child(icount_stub::end_benchmark(*current)); }

/// For the child: "ADDRESS LINE FILE NAME" of a Python function that has machine code of its own.
void icount_tell_function(const char* text) { icount_stub::report("function %s", text); }

/// Serves until the client is gone; never returns. The plan begins with the number of benchmarks; their registrations
/// lie in static memory, so that the heap is the same for one and for a thousand.
void icount_serve(Object* entry_given, Object* threads_entry_given, int plan_descriptor) {
  entry = entry_given;
  threads_entry = threads_entry_given;
  plan = plan_descriptor;
  uint64_t head[3];
  if (pread(plan, head, sizeof head, 0) != sizeof head || head[0] > kMostBenchmarks) _exit(2);
  const uint64_t count = head[0];
  read_blocks(head);
  struct sigaction action = {};
  action.sa_handler = &end_with_others;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, nullptr);
  alignas(Registration) static char storage[(kMostBenchmarks + 1) * sizeof(Registration)];
  for (uint64_t i = count + 1; i-- > 0;)  // the first is the empty one, number -1
    new (storage + i * sizeof(Registration)) Registration(static_cast<int>(i) - 1, "python", &run_python);
  icount_stub::Server::instance().serve();
}
}
