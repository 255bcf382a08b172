/* A disk on which only so much fits, for programs that run with this library preloaded: SMALL_DISK names a file of eight
   bytes, how many more may be written to regular files by all of them together. Then what fits is written, and the next
   write fails with ENOSPC, as on a full disk. Where SMALL_DISK_FOLDER is set, an absolute path, only what lies in that
   folder counts: the other folders are on other disks. Needs no rights. Writes that go around these functions (Valgrind's, those
   inside stdio, mapped files) do not count. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name)                    \
  static __typeof__(&name) next;      \
  if (!next) next = dlsym(RTLD_NEXT, #name)

static int64_t* left_of_disk(void) {
  static int64_t* left;
  if (!left) {
    const char* path = getenv("SMALL_DISK");
    const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    void* map = mmap(0, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED) return 0;
    left = map;
  }
  return left;
}

static int is_on_disk(int fd) {
  const char* folder = getenv("SMALL_DISK_FOLDER");
  if (!folder) return 1;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  return strncmp(path, folder, strlen(folder)) == 0 && path[strlen(folder)] == '/';
}

/* So many of n bytes fit; takes them off what is left. */
static size_t take(int fd, size_t n) {
  struct stat status;
  int64_t* left = left_of_disk();
  if (!left || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || !is_on_disk(fd)) return n;
  int64_t have = __atomic_load_n(left, __ATOMIC_RELAXED), taken;
  do {
    taken = have < (int64_t)n ? have : (int64_t)n;
  } while (!__atomic_compare_exchange_n(left, &have, have - taken, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return (size_t)taken;
}

static ssize_t full(void) {
  errno = ENOSPC;
  return -1;
}

ssize_t write(int fd, const void* bytes, size_t n) {
  NEXT(write);
  const size_t fits = take(fd, n);
  return n > 0 && fits == 0 ? full() : next(fd, bytes, fits);
}
ssize_t pwrite(int fd, const void* bytes, size_t n, off_t at) {
  NEXT(pwrite);
  const size_t fits = take(fd, n);
  return n > 0 && fits == 0 ? full() : next(fd, bytes, fits, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t n, off64_t at) {
  NEXT(pwrite64);
  const size_t fits = take(fd, n);
  return n > 0 && fits == 0 ? full() : next(fd, bytes, fits, at);
}
ssize_t writev(int fd, const struct iovec* pieces, int count) {
  ssize_t sum = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t n = write(fd, pieces[i].iov_base, pieces[i].iov_len);
    if (n < 0) return sum > 0 ? sum : n;
    sum += n;
    if ((size_t)n < pieces[i].iov_len) break;
  }
  return sum;
}
ssize_t copy_file_range(int in, off64_t* in_at, int out, off64_t* out_at, size_t n, unsigned flags) {
  (void)in, (void)in_at, (void)out, (void)out_at, (void)n, (void)flags;
  errno = ENOSYS; /* callers go on with read and write */
  return -1;
}
ssize_t sendfile64(int out, int in, off64_t* at, size_t n) {
  (void)out, (void)in, (void)at, (void)n;
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile(int out, int in, off_t* at, size_t n) {
  (void)out, (void)in, (void)at, (void)n;
  errno = ENOSYS;
  return -1;
}
