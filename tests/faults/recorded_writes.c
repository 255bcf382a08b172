/* Records what a program changes on disk, for programs that run with this library preloaded: RECORDED_WRITES names the
   log, RECORDED_FOLDER the folder whose files count. A record is a line "KIND OFFSET SIZE PATH\tSECOND" and then SIZE
   bytes. Kinds: c create, t cut to OFFSET, w write, s sync, d sync of a folder, r rename, u unlink. A sync holds the
   whole file and, as OFFSET, its mode: compilers write without this library's knowledge. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEXT(name)                    \
  static __typeof__(&name) next;      \
  if (!next) next = dlsym(RTLD_NEXT, #name)

static int log_fd(void) {
  static int fd = -2;
  if (fd == -2) {
    const char* path = getenv("RECORDED_WRITES");
    fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  }
  return fd;
}

static void record(char kind, long offset, const char* path, const char* second, const void* bytes, size_t size) {
  const char* folder = getenv("RECORDED_FOLDER");
  if (log_fd() < 0 || !folder || strncmp(path, folder, strlen(folder)) != 0) return;
  char line[2 * PATH_MAX + 64];
  const int n = snprintf(line, sizeof line, "%c %ld %zu %s\t%s\n", kind, offset, size, path, second);
  syscall(SYS_write, log_fd(), line, (size_t)n);
  if (size > 0) syscall(SYS_write, log_fd(), bytes, size);
}

/* The file behind a descriptor; whether it is one. */
static int path_of(int fd, char (*path)[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, *path, sizeof *path - 1);
  if (n <= 0) return 0;
  (*path)[n] = 0;
  return (*path)[0] == '/';
}

static const char* absolute(const char* path, char (*buffer)[PATH_MAX]) {
  if (path[0] == '/') return path;
  char folder[PATH_MAX];
  if (!getcwd(folder, sizeof folder)) return path;
  snprintf(*buffer, sizeof *buffer, "%.2000s/%.2000s", folder, path);
  return *buffer;
}

static void record_open(int fd, int flags) {
  char path[PATH_MAX];
  if (fd < 0 || !(flags & (O_CREAT | O_TRUNC)) || !path_of(fd, &path)) return;
  record('c', flags & O_TRUNC ? 1 : 0, path, "", 0, 0);
}
static void record_write(int fd, const void* bytes, ssize_t n, long offset) {
  char path[PATH_MAX];
  struct stat status;
  if (n > 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && path_of(fd, &path))
    record('w', offset, path, "", bytes, (size_t)n);
}
static void record_sync(int fd) {
  char path[PATH_MAX];
  struct stat status;
  if (fstat(fd, &status) != 0 || !path_of(fd, &path)) return;
  if (S_ISDIR(status.st_mode)) {
    record('d', 0, path, "", 0, 0);
    return;
  }
  const int reading = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);  /* fd may be for writing only */
  char* bytes = malloc((size_t)status.st_size + 1);
  ssize_t size = 0, n = 0;
  while (bytes && size < status.st_size &&
         (n = syscall(SYS_pread64, reading, bytes + size, (size_t)(status.st_size - size), (long)size)) > 0)
    size += n;
  record('s', status.st_mode & 0777, path, "", bytes, (size_t)size);
  free(bytes);
  syscall(SYS_close, reading);
}

ssize_t write(int fd, const void* bytes, size_t n) {
  NEXT(write);
  const ssize_t done = next(fd, bytes, n);
  if (done > 0) record_write(fd, bytes, done, lseek(fd, 0, SEEK_CUR) - done);
  return done;
}
ssize_t pwrite64(int fd, const void* bytes, size_t n, off64_t at) {
  NEXT(pwrite64);
  const ssize_t done = next(fd, bytes, n, at);
  record_write(fd, bytes, done, at);
  return done;
}
ssize_t pwrite(int fd, const void* bytes, size_t n, off_t at) {
  NEXT(pwrite);
  const ssize_t done = next(fd, bytes, n, at);
  record_write(fd, bytes, done, at);
  return done;
}
int ftruncate64(int fd, off64_t size) {
  NEXT(ftruncate64);
  char path[PATH_MAX];
  if (path_of(fd, &path)) record('t', size, path, "", 0, 0);
  return next(fd, size);
}
int ftruncate(int fd, off_t size) {
  NEXT(ftruncate);
  char path[PATH_MAX];
  if (path_of(fd, &path)) record('t', size, path, "", 0, 0);
  return next(fd, size);
}
int fsync(int fd) {
  NEXT(fsync);
  record_sync(fd);
  return next(fd);
}
int fdatasync(int fd) {
  NEXT(fdatasync);
  record_sync(fd);
  return next(fd);
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  char a[PATH_MAX], b[PATH_MAX];
  record('r', 0, absolute(from, &a), absolute(to, &b), 0, 0);
  return next(from, to);
}
int unlink(const char* path) {
  NEXT(unlink);
  char a[PATH_MAX];
  record('u', 0, absolute(path, &a), "", 0, 0);
  return next(path);
}
static int mode_of(int flags, va_list list) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, int) : 0; }
int open(const char* path, int flags, ...) {
  NEXT(open);
  va_list list;
  va_start(list, flags);
  const int fd = next(path, flags, mode_of(flags, list));
  va_end(list);
  record_open(fd, flags);
  return fd;
}
int open64(const char* path, int flags, ...) {
  NEXT(open64);
  va_list list;
  va_start(list, flags);
  const int fd = next(path, flags, mode_of(flags, list));
  va_end(list);
  record_open(fd, flags);
  return fd;
}
int mkostemp64(char* name, int flags) {
  NEXT(mkostemp64);
  const int fd = next(name, flags);
  record_open(fd, O_CREAT);
  return fd;
}
int mkostemp(char* name, int flags) {
  NEXT(mkostemp);
  const int fd = next(name, flags);
  record_open(fd, O_CREAT);
  return fd;
}
