/* Makes one system call fail, for programs that run with this library preloaded: FAILING_CALL is "KIND SITE TIME", the
   TIME-th call (from 1) of that kind from that place of the program. A place is a hash of the addresses of its callers
   within their objects, so that it is the same in every run. FAILING_CALLS_LOG names a file to which each call's kind and
   place is appended instead: what there is to fail. Kinds: open read write rename sync mmap malloc fork thread pipe folder list.
   Processes that the program starts are not made to fail, nor what libraries do before main: SOCI's own static
   variables end a process without memory before it is icount. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define NEXT(name)                    \
  static __typeof__(&name) next;      \
  if (!next) next = dlsym(RTLD_NEXT, #name)

enum { kFrames = 12, kDeepest = 64 };

static __thread int inside; /* of this library: what it calls itself never fails */
static int log_fd = -1, ready;
static char wanted_kind[16];
static unsigned long wanted_site, wanted_time, seen;
static pid_t owner;

static void* next_malloc(size_t n) {
  static void* (*next)(size_t);
  if (!next) next = dlsym(RTLD_NEXT, "malloc");
  return next(n);
}

static void set_up(void) {
  if (ready) return;
  ready = 1;
  const char* call = getenv("FAILING_CALL");
  if (call) sscanf(call, "%15s %lx %lu", wanted_kind, &wanted_site, &wanted_time);
  const char* log = getenv("FAILING_CALLS_LOG");
  if (log) log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  owner = getpid();
  unsetenv("LD_PRELOAD"); /* a started program runs as it is */
}

struct Walk {
  unsigned long hash;
  int frames, before_main;
};
static _Unwind_Reason_Code add_frame(struct _Unwind_Context* context, void* data) {
  struct Walk* walk = data;
  const uintptr_t at = _Unwind_GetIP(context);
  Dl_info info;
  if (at && dladdr((void*)at, &info)) {
    if (walk->frames < kFrames) walk->hash = walk->hash * 0x100000001b3UL + (at - (uintptr_t)info.dli_fbase);
    if (info.dli_fname && strstr(info.dli_fname, "/ld-linux")) walk->before_main = 1;
  }
  return ++walk->frames < kDeepest ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Whether this call fails. */
static int fails(const char* kind) {
  if (inside) return 0;
  inside = 1;
  set_up();
  int result = 0;
  const int mine = owner == getpid();
  if (mine && (log_fd >= 0 || strcmp(kind, wanted_kind) == 0)) {
    struct Walk walk = {0xcbf29ce484222325UL, 0, 0};
    _Unwind_Backtrace(add_frame, &walk);
    if (log_fd >= 0 && !walk.before_main) {
      char line[64];
      const int n = snprintf(line, sizeof line, "%s %lx\n", kind, walk.hash);
      syscall(SYS_write, log_fd, line, n);
    }
    if (!walk.before_main && strcmp(kind, wanted_kind) == 0 && walk.hash == wanted_site)
      result = __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) == wanted_time;
  }
  inside = 0;
  return result;
}

static long failed(int reason) {
  errno = reason;
  return -1;
}

void* malloc(size_t n) {
  if (!inside && n >= 64 && fails("malloc")) return failed(ENOMEM), (void*)0;
  return next_malloc(n);
}
ssize_t read(int fd, void* bytes, size_t n) {
  NEXT(read);
  return fails("read") ? failed(EIO) : next(fd, bytes, n);
}
ssize_t pread64(int fd, void* bytes, size_t n, off64_t at) {
  NEXT(pread64);
  return fails("read") ? failed(EIO) : next(fd, bytes, n, at);
}
ssize_t write(int fd, const void* bytes, size_t n) {
  NEXT(write);
  return fd > 2 && fails("write") ? failed(ENOSPC) : next(fd, bytes, n);
}
ssize_t pwrite64(int fd, const void* bytes, size_t n, off64_t at) {
  NEXT(pwrite64);
  return fails("write") ? failed(EIO) : next(fd, bytes, n, at);
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  return fails("rename") ? (int)failed(EIO) : next(from, to);
}
int fsync(int fd) {
  NEXT(fsync);
  return fails("sync") ? (int)failed(EIO) : next(fd);
}
int fdatasync(int fd) {
  NEXT(fdatasync);
  return fails("sync") ? (int)failed(EIO) : next(fd);
}
void* mmap64(void* at, size_t n, int protection, int flags, int fd, off64_t from) {
  NEXT(mmap64);
  return fd >= 0 && fails("mmap") ? (failed(ENOMEM), MAP_FAILED) : next(at, n, protection, flags, fd, from);
}
void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t from) {
  NEXT(mmap);
  return fd >= 0 && fails("mmap") ? (failed(ENOMEM), MAP_FAILED) : next(at, n, protection, flags, fd, from);
}
static int mode_of(int flags, va_list list) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, int) : 0; }
int open(const char* path, int flags, ...) {
  NEXT(open);
  va_list list;
  va_start(list, flags);
  const int mode = mode_of(flags, list);
  va_end(list);
  return fails("open") ? (int)failed(EMFILE) : next(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  NEXT(open64);
  va_list list;
  va_start(list, flags);
  const int mode = mode_of(flags, list);
  va_end(list);
  return fails("open") ? (int)failed(EMFILE) : next(path, flags, mode);
}
int mkostemp64(char* name, int flags) {
  NEXT(mkostemp64);
  return fails("open") ? (int)failed(EACCES) : next(name, flags);
}
int mkostemp(char* name, int flags) {
  NEXT(mkostemp);
  return fails("open") ? (int)failed(EACCES) : next(name, flags);
}
FILE* fopen64(const char* path, const char* mode) {
  NEXT(fopen64);
  return fails("open") ? (failed(EMFILE), (FILE*)0) : next(path, mode);
}
DIR* opendir(const char* path) {
  NEXT(opendir);
  return fails("list") ? (failed(EMFILE), (DIR*)0) : next(path);
}
int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  return fails("folder") ? (int)failed(ENOSPC) : next(path, mode);
}
char* mkdtemp(char* name) {
  NEXT(mkdtemp);
  return fails("folder") ? (failed(ENOSPC), (char*)0) : next(name);
}
int pipe2(int ends[2], int flags) {
  NEXT(pipe2);
  return fails("pipe") ? (int)failed(EMFILE) : next(ends, flags);
}
pid_t fork(void) {
  NEXT(fork);
  return fails("fork") ? (pid_t)failed(EAGAIN) : next();
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* data) {
  NEXT(pthread_create);
  return fails("thread") ? EAGAIN : next(thread, attributes, start, data);
}
